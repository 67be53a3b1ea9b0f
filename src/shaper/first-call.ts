/** The first call of a shaper loads this module: the stages, and the values that the stages share. */

import type { PipelineStage } from '../pipeline.js';
import { onDemand } from '../runtime/on-demand.js';
import type { Services } from '../session/recording.js';
import type { Arranged } from './arrangement.js';
import { defaultStage } from './default-stages.js';

export { inOrderOfTies, listOrder } from '../input/list-order.js';
export { limitsOf } from '../limits.js';
export { runPipeline } from '../pipeline.js';
export { Cosines } from '../pool/cosines.js';
export { blockCounter, frameTokens, shown } from '../prompt/shown.js';
export { makeReport } from '../report/report.js';
export { Lexicon } from '../text/lexicon.js';
export { countOnce } from '../tokens/tokenizers.js';

/** Most pages and programs have no stage of their own. */
const loadCustom = onDemand(() => import('../stages/custom/custom.js'));

/** The stages of a shaper in their order, default stages and those of the user. They ask these services. */
export async function stagesOf(
  { arrangement, options }: Arranged,
  services: Services,
): Promise<readonly PipelineStage[]> {
  const stages: PipelineStage[] = [];
  for (const each of arrangement) {
    const stage =
      typeof each === 'string'
        ? await defaultStage(each)?.make(options, services)
        : (await loadCustom()).custom(each, options.deadlineMs);
    if (stage) stages.push(stage);
  }
  return stages;
}

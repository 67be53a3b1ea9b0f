/** The first call of a shaper loads this module: the stages, and the values that the stages share. */

import type { ResolvedOptions } from '../input/options.js';
import type { PipelineStage } from '../pipeline.js';
import type { Services } from '../session/recording.js';
import { annotate } from '../stages/annotate.js';
import { budget } from '../stages/budget.js';
import { cluster } from '../stages/cluster/cluster.js';
import { custom } from '../stages/custom/custom.js';
import { ecs } from '../stages/ecs.js';
import { embed } from '../stages/embed.js';
import { exactDedup } from '../stages/exact-dedup.js';
import { extract } from '../stages/extract/extract.js';
import { flag } from '../stages/flag/flag.js';
import { order } from '../stages/order.js';
import { relevance } from '../stages/relevance.js';
import { select } from '../stages/select/select.js';
import { semanticDedup } from '../stages/semantic-dedup/semantic-dedup.js';
import type { Arranged } from './arrangement.js';
import { STAGES } from './default-stages.js';

export { inOrderOfTies, listOrder } from '../input/list-order.js';
export { withoutEffect } from '../input/without-effect.js';
export { limitsOf } from '../limits.js';
export { runPipeline } from '../pipeline.js';
export { blockCounter, frameTokens, shown } from '../prompt/shown.js';
export { makeReport } from '../report/report.js';
export { Lexicon } from '../text/lexicon.js';
export { countOnce, loadTokenCounter } from '../tokens/tokenizers.js';

/** False if the option is off. */
type Maker = (options: ResolvedOptions, services: Services) => PipelineStage | false;

const MAKERS: Record<(typeof STAGES)[number]['name'], Maker> = {
  flag: (options) => options.flag && flag(options.flag),
  annotate: ({ annotate: entropy, allowEmpty }) => annotate({ entropy, allowEmpty }),
  'exact-dedup': () => exactDedup(),
  embed: (_, { embedder }) => embed(embedder),
  'semantic-dedup': ({ semanticDedup: own, conflicts, preview }) =>
    own && semanticDedup({ ...own, conflicts, preview }),
  relevance: ({ relevance: own, preview, allowEmpty, embedder, scores }) =>
    own &&
    relevance({
      ...own,
      preview: preview !== false,
      allowEmpty,
      scores,
      isStatic: embedder?.isStatic === true,
    }),
  cluster: (options) => options.cluster && cluster(options.cluster),
  ecs: (options, { model, judge }) =>
    options.ecs &&
    ecs({ ...options.ecs, model, judge, allowEmpty: options.allowEmpty, surroundings: options }),
  select: (options) => options.select && select({ ...options.select, extracts: options.extract !== false }),
  extract: (options) => options.extract && extract(options.extract),
  budget: ({ allowEmpty }) => budget({ allowEmpty }),
  order: (options) => options.order && order(options.order),
};

/** The stages of a shaper in their order, default stages and those of the user. They ask these services. */
export function stagesOf({ arrangement, options }: Arranged, services: Services): readonly PipelineStage[] {
  return arrangement.flatMap((each): PipelineStage | readonly PipelineStage[] => {
    if (typeof each !== 'string') return custom(each, options.deadlineMs);
    const found = STAGES.find(({ name }) => name === each);
    return (found !== undefined && MAKERS[found.name](options, services)) || [];
  });
}

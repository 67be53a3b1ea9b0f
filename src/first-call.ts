/** The first call of a shaper loads this module: the stages, and the values that the stages share. */
import type { Arranged } from './arrangement.js';
import type { ResolvedOptions } from './input/options.js';
import type { PipelineStage } from './pipeline.js';
import { onDemand } from './runtime/on-demand.js';
import type { Services } from './session/recording.js';
import { annotate } from './stages/annotate.js';
import { budget } from './stages/budget.js';
import { cluster } from './stages/cluster/cluster.js';
import { ecs } from './stages/ecs.js';
import { embed } from './stages/embed.js';
import { exactDedup } from './stages/exact-dedup.js';
import { extract } from './stages/extract/extract.js';
import { flag } from './stages/flag/flag.js';
import { order } from './stages/order.js';
import { relevance } from './stages/relevance.js';
import { select } from './stages/select/select.js';
import { semanticDedup } from './stages/semantic-dedup/semantic-dedup.js';
import { type DefaultName, STAGES } from './stages/shared/stages.js';

export { listOrder } from './input/list-order.js';
export { limitsOf } from './limits.js';
export { runPipeline } from './pipeline.js';
export { Cosines } from './pool/cosines.js';
export { frameTokens, shown } from './prompt/shown.js';
export { makeReport } from './report/report.js';
export { Lexicon } from './text/lexicon.js';
export { countOnce } from './tokens/tokenizers.js';

/** Most pages and programs have no stage of their own. */
const loadCustom = onDemand(() => import('./stages/custom/custom.js'));

/** The stages of a shaper in their order, default stages and those of the user. They ask these services. */
export async function stagesOf(
  { arrangement, options }: Arranged,
  services: Services,
): Promise<readonly PipelineStage[]> {
  const stages = defaultStages(options, services);
  if (options.stages === undefined) return stages;
  const { custom } = await loadCustom();
  return arrangement.map((each) =>
    typeof each === 'string'
      ? (stages.find(({ name }) => name === each) as PipelineStage)
      : custom(each, options.deadlineMs),
  );
}

/** The default stages that are on. */
function defaultStages(
  options: ResolvedOptions,
  { embedder, model, judge, scorer }: Services,
): readonly PipelineStage[] {
  const { allowEmpty } = options;
  const extracts = options.extract !== false;
  const all: Readonly<Record<DefaultName, PipelineStage | false>> = {
    flag: options.flag && flag(),
    annotate: annotate({ entropy: options.annotate, allowEmpty }),
    'exact-dedup': options.exactDedup && exactDedup(),
    embed: embed(embedder),
    'semantic-dedup': options.semanticDedup && semanticDedup(options.semanticDedup),
    relevance:
      options.relevance &&
      relevance({ ...options.relevance, preview: options.preview !== false, allowEmpty }),
    cluster: options.cluster && cluster(options.cluster),
    ecs: options.ecs && ecs({ ...options.ecs, model, judge, allowEmpty, surroundings: options }),
    select: options.select && select({ ...options.select, extracts }),
    extract:
      options.extract &&
      extract(options.extract, scorer === undefined ? undefined : { model: scorer, options }),
    budget: budget({ allowEmpty, extracts }),
    order: options.order && order(options.order),
  };
  return STAGES.flatMap(({ name, acts }) => {
    const stage = all[name];
    return stage === false ? [] : [{ ...stage, acts }];
  });
}

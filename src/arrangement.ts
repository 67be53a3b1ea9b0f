/** The stages of a shaper: which run, in which order, and on what each depends. */
import { mergeOptions, type ResolvedOptions, resolveOptions } from './input/options.js';
import type { ShapingOptions } from './input/shaping-options.js';
import type { PipelineStage } from './pipeline.js';
import { onDemand } from './runtime/on-demand.js';
import type { Recall, Store } from './session/recall.js';
import type { Services, Tape } from './session/tape.js';
import { annotate } from './stages/annotate.js';
import { budget } from './stages/budget.js';
import { cluster } from './stages/cluster/cluster.js';
import { type Arrangement, arrange, leftOut } from './stages/custom/arrangement.js';
import { ecs } from './stages/ecs.js';
import { embed } from './stages/embed.js';
import { exactDedup } from './stages/exact-dedup.js';
import { extract } from './stages/extract/extract.js';
import { flag } from './stages/flag/flag.js';
import { order } from './stages/order.js';
import { relevance } from './stages/relevance.js';
import { select } from './stages/select/select.js';
import { semanticDedup } from './stages/semantic-dedup/semantic-dedup.js';

/** The resolved options of a shaper, with its stages. */
export interface Arranged {
  readonly options: ResolvedOptions;
  /** The default stages that are on. */
  readonly stages: readonly PipelineStage[];
  /** The order of all stages. */
  readonly arrangement: Arrangement;
}

/**
 * Resolves options, and arranges the stages. A default stage that the user's function leaves out is off.
 *
 * @param recall the memory of the session in which the stages run, if there is one.
 * @throws ContextShapingError `invalid-options`, naming the first option that is wrong.
 */
export function arranged(given: ShapingOptions, recall: Recall | undefined): Arranged {
  const all = resolveOptions(given);
  const stages = stagesOf(all, recall);
  const on = stages.map(({ name }) => name);
  if (all.stages === undefined) return { options: all, stages, arrangement: on };
  const arrangement = arrange(all, on);
  const options = resolveOptions(mergeOptions({ ...given }, leftOut(arrangement, on)));
  return { options, stages: stagesOf(options, recall), arrangement };
}

/**
 * Stages, in order of execution. If all chunks left after de-duplication fit `k` and the budget, they are kept whole:
 * `cluster`, `select`, `extract` and `budget` act only under pressure.
 */
export function stagesOf(options: ResolvedOptions, recall: Recall | undefined): PipelineStage[] {
  const { allowEmpty } = options;
  const extracts = options.extract !== false;
  const { embedder, model, judge, scorer } = servicesOf(options, recall);
  const stages = [
    options.flag && flag(),
    annotate({ entropy: options.annotate, allowEmpty }),
    options.exactDedup && exactDedup(),
    embed(embedder),
    options.semanticDedup && semanticDedup(options.semanticDedup),
    options.relevance && relevance({ ...options.relevance, preview: options.preview !== false, allowEmpty }),
    options.cluster && cluster(options.cluster),
    options.ecs && ecs({ ...options.ecs, model, judge, allowEmpty, surroundings: options }),
    options.select && select({ ...options.select, extracts }),
    options.extract &&
      extract(options.extract, scorer === undefined ? undefined : { model: scorer, options }),
    budget({ allowEmpty, extracts }),
    options.order && order(options.order),
  ].filter((stage) => stage !== false);
  return recall?.store === undefined ? stages : keyed(stages, options, recall.store, recall.tape);
}

function servicesOf({ embedder, ecs, extract }: ResolvedOptions, recall: Recall | undefined): Services {
  const { model, judge } = ecs || {};
  const services = { embedder, model, judge, scorer: (extract || undefined)?.scorer?.model };
  return recall?.tape?.services(services) ?? services;
}

/** Adds keys to the stages that no limit changes. */
function keyed(
  stages: readonly PipelineStage[],
  options: ResolvedOptions,
  store: Store,
  tape: Tape | undefined,
): PipelineStage[] {
  const { allowEmpty, annotate, embedder, semanticDedup, relevance, preview, ecs, tokenizer } = options;
  const dependsOn: Readonly<Record<string, unknown>> = {
    flag: true,
    annotate: [annotate, allowEmpty],
    'exact-dedup': true,
    embed: [embedder],
    'semantic-dedup': semanticDedup,
    relevance: [relevance, preview, allowEmpty],
    ecs: [ecs, allowEmpty, embedder, relevance, tokenizer],
  };
  return stages.map((stage) =>
    stage.name in dependsOn
      ? { ...stage, key: store.keyOf(dependsOn[stage.name]), mayKeep: () => (tape?.missed ?? 0) === 0 }
      : stage,
  );
}

/** Most pages and programs have no stage of their own. */
const loadCustom = onDemand(() => import('./stages/custom/custom.js'));

/** All stages in their order: those of the user are made here. */
export async function inOrder({ arrangement, stages, options }: Arranged): Promise<readonly PipelineStage[]> {
  if (options.stages === undefined) return stages;
  const { custom } = await loadCustom();
  return arrangement.map((each) =>
    typeof each === 'string'
      ? (stages.find(({ name }) => name === each) as PipelineStage)
      : custom(each, options.deadlineMs),
  );
}

/** The default stages: all that the rest of the library knows of each, in the order in which they run. */
import type { ResolvedOptions } from '../input/options.js';
import type { Acts, PipelineStage } from '../pipeline.js';
import { onDemand } from '../runtime/on-demand.js';
import type { Services } from '../session/recording.js';

export interface StageFacts<Name extends string = string> {
  /** Its option has this name in camel case. */
  readonly name: Name;
  /** Its task in a few words, for the inspector. */
  readonly task: string;
  /** Whether no option can turn it off. Limits need its counts or vectors, or it keeps the hard cap. */
  readonly isRequired?: true;
  readonly acts: Acts;
}

interface StageDefinition<Name extends string, Module> extends StageFacts<Name> {
  /** Imports the module of the stage. The first call does so: pages load less at first, and programs start sooner. */
  readonly load: () => Promise<Module>;
  /** False if the option is off. */
  readonly make: (module: Module, options: ResolvedOptions, services: Services) => PipelineStage | false;
}

function stage<const Name extends string, Module>({
  load,
  make,
  ...facts
}: StageDefinition<Name, Module>): StageFacts<Name> & {
  make(options: ResolvedOptions, services: Services): Promise<PipelineStage | false>;
} {
  const loaded = onDemand(load);
  return {
    ...facts,
    async make(options, services) {
      return make(await loaded(), options, services);
    },
  };
}

export const STAGES = [
  stage({
    name: 'flag',
    task: 'notes text that is written for the search or the model, and can evict it',
    acts: 'always',
    load: () => import('../stages/flag/flag.js'),
    make: ({ flag }, options) => options.flag && flag(options.flag),
  }),
  stage({
    name: 'annotate',
    task: 'counts tokens, measures entropy',
    isRequired: true,
    acts: 'always',
    load: () => import('../stages/annotate.js'),
    make: ({ annotate }, { annotate: entropy, allowEmpty }) => annotate({ entropy, allowEmpty }),
  }),
  stage({
    name: 'exact-dedup',
    task: 'evicts the same text',
    acts: 'always',
    load: () => import('../stages/exact-dedup.js'),
    make: ({ exactDedup }) => exactDedup(),
  }),
  stage({
    name: 'embed',
    task: 'asks for vectors, if there is an embedder',
    isRequired: true,
    acts: 'always',
    load: () => import('../stages/embed.js'),
    make: ({ embed }, _options, { embedder }) => embed(embedder),
  }),
  stage({
    name: 'semantic-dedup',
    task: 'evicts near-copies, finds contradictions',
    acts: 'always',
    load: () => import('../stages/semantic-dedup/semantic-dedup.js'),
    make: ({ semanticDedup }, { semanticDedup: own, conflicts, preview }) =>
      own && semanticDedup({ ...own, conflicts, preview }),
  }),
  stage({
    name: 'relevance',
    task: 'measures relevance to the question',
    acts: 'always',
    load: () => import('../stages/relevance.js'),
    make: ({ relevance }, { relevance: own, preview, allowEmpty, embedder, scores }) =>
      own &&
      relevance({
        ...own,
        preview: preview !== false,
        allowEmpty,
        scores,
        isStatic: embedder?.isStatic === true,
      }),
  }),
  stage({
    name: 'cluster',
    task: 'evicts redundant chunks, if room is short',
    acts: 'under-pressure',
    load: () => import('../stages/cluster/cluster.js'),
    make: ({ cluster }, options) => options.cluster && cluster(options.cluster),
  }),
  stage({
    name: 'ecs',
    task: 'asks the model for the utility of each chunk',
    acts: 'under-pressure',
    load: () => import('../stages/ecs.js'),
    make: ({ ecs }, options, { model, judge }) =>
      options.ecs &&
      ecs({ ...options.ecs, model, judge, allowEmpty: options.allowEmpty, surroundings: options }),
  }),
  stage({
    name: 'select',
    task: 'ranks by relevance and novelty, applies k',
    acts: 'under-pressure',
    load: () => import('../stages/select/select.js'),
    make: ({ select }, options) =>
      options.select && select({ ...options.select, extracts: options.extract !== false }),
  }),
  stage({
    name: 'extract',
    task: 'keeps the sentences that answer, if room is short',
    acts: 'under-pressure',
    load: () => import('../stages/extract/extract.js'),
    make: ({ extract }, options) => options.extract && extract(options.extract),
  }),
  stage({
    name: 'budget',
    task: 'keeps the result within the budget',
    isRequired: true,
    acts: 'on-limits',
    load: () => import('../stages/budget.js'),
    make: ({ budget }, { allowEmpty }) => budget({ allowEmpty }),
  }),
  stage({
    name: 'order',
    task: 'sorts the result',
    acts: 'always',
    load: () => import('../stages/order.js'),
    make: ({ order }, options) => options.order && order(options.order),
  }),
] as const;

/** The default stage of this name; undefined for another name. */
export const defaultStage = (name: string) => STAGES.find((each) => each.name === name);

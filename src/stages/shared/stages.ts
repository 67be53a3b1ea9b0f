/** The default stages: their order, and all that other parts of the library have to know of them. */
import type { ResolvedOptions } from '../../input/options.js';

export interface StageFacts {
  readonly name: string;
  /** Its task, in a few words. */
  readonly does: string;
  /** Whether no option can turn it off. Limits need its counts or vectors, or it keeps the hard cap. */
  readonly isRequired?: true;
  /**
   * When it evicts: with any limits, only if room is short, or to keep the limits. With more room, a stage that acts under
   * pressure may evict others, or fewer.
   */
  readonly acts: 'always' | 'under-pressure' | 'on-limits';
  /**
   * Everything but the candidates, the query and services on which its output depends. Absent if the limits change its
   * output. A session uses the output again while these values are the same.
   */
  readonly dependsOn?: (options: ResolvedOptions) => unknown;
}

/** In the order in which they run. The option of a stage has its name in camel case. */
export const STAGES = [
  {
    name: 'flag',
    does: 'notes text that is written for the search or the model',
    acts: 'always',
    dependsOn: () => true,
  },
  {
    name: 'annotate',
    does: 'counts tokens, measures entropy',
    isRequired: true,
    acts: 'always',
    dependsOn: ({ annotate, allowEmpty }) => [annotate, allowEmpty],
  },
  {
    name: 'exact-dedup',
    does: 'evicts the same text',
    acts: 'always',
    dependsOn: () => true,
  },
  {
    name: 'embed',
    does: 'asks for vectors, if there is an embedder',
    isRequired: true,
    acts: 'always',
    dependsOn: ({ embedder }) => [embedder],
  },
  {
    name: 'semantic-dedup',
    does: 'evicts near-copies, finds contradictions',
    acts: 'always',
    dependsOn: ({ semanticDedup }) => semanticDedup,
  },
  {
    name: 'relevance',
    does: 'measures relevance to the question',
    acts: 'always',
    dependsOn: ({ relevance, preview, allowEmpty }) => [relevance, preview, allowEmpty],
  },
  {
    name: 'cluster',
    does: 'evicts redundant chunks, if room is short',
    acts: 'under-pressure',
  },
  {
    name: 'ecs',
    does: 'asks the model for the utility of each chunk',
    acts: 'under-pressure',
    dependsOn: ({ ecs, allowEmpty, embedder, relevance, tokenizer }) => [
      ecs,
      allowEmpty,
      embedder,
      relevance,
      tokenizer,
    ],
  },
  {
    name: 'select',
    does: 'ranks by relevance and novelty, applies k',
    acts: 'under-pressure',
  },
  {
    name: 'extract',
    does: 'keeps the sentences that answer, if room is short',
    acts: 'under-pressure',
  },
  {
    name: 'budget',
    does: 'keeps the result within the budget',
    isRequired: true,
    acts: 'on-limits',
  },
  {
    name: 'order',
    does: 'sorts the result',
    acts: 'always',
  },
] as const satisfies readonly StageFacts[];

export type DefaultName = (typeof STAGES)[number]['name'];

/** The facts of a default stage; undefined for another name. */
export const factsOf = (name: string): StageFacts | undefined => STAGES.find((stage) => stage.name === name);

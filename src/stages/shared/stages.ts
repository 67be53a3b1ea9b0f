/** The default stages: their order, and all that other parts of the library have to know of them. */
import type { ResolvedOptions } from '../../input/options.js';

export interface StageFacts {
  readonly name: string;
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
    acts: 'always',
    dependsOn: () => true,
  },
  {
    name: 'annotate',
    isRequired: true,
    acts: 'always',
    dependsOn: ({ annotate, allowEmpty }) => [annotate, allowEmpty],
  },
  {
    name: 'exact-dedup',
    acts: 'always',
    dependsOn: () => true,
  },
  {
    name: 'embed',
    isRequired: true,
    acts: 'always',
    dependsOn: ({ embedder }) => [embedder],
  },
  {
    name: 'semantic-dedup',
    acts: 'always',
    dependsOn: ({ semanticDedup }) => semanticDedup,
  },
  {
    name: 'relevance',
    acts: 'always',
    dependsOn: ({ relevance, preview, allowEmpty }) => [relevance, preview, allowEmpty],
  },
  {
    name: 'cluster',
    acts: 'under-pressure',
  },
  {
    name: 'ecs',
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
    acts: 'under-pressure',
  },
  {
    name: 'extract',
    acts: 'under-pressure',
  },
  {
    name: 'budget',
    isRequired: true,
    acts: 'on-limits',
  },
  {
    name: 'order',
    acts: 'always',
  },
] as const satisfies readonly StageFacts[];

export type DefaultName = (typeof STAGES)[number]['name'];

/** The facts of a default stage; undefined for another name. */
export const factsOf = (name: string): StageFacts | undefined => STAGES.find((stage) => stage.name === name);

/** The default stages: their order, and all that other parts of the library have to know of them. */
export interface StageFacts {
  readonly name: string;
  /** Whether no option can turn it off. Limits need its counts or vectors, or it keeps the hard cap. */
  readonly isRequired?: true;
  /**
   * When it evicts: with any limits, only if room is short, or to keep the limits. With more room, a stage that acts under
   * pressure may evict others, or fewer.
   */
  readonly acts: 'always' | 'under-pressure' | 'on-limits';
}

/** In the order in which they run. The option of a stage has its name in camel case. */
export const STAGES = [
  {
    name: 'flag',
    acts: 'always',
  },
  {
    name: 'annotate',
    isRequired: true,
    acts: 'always',
  },
  {
    name: 'exact-dedup',
    acts: 'always',
  },
  {
    name: 'embed',
    isRequired: true,
    acts: 'always',
  },
  {
    name: 'semantic-dedup',
    acts: 'always',
  },
  {
    name: 'relevance',
    acts: 'always',
  },
  {
    name: 'cluster',
    acts: 'under-pressure',
  },
  {
    name: 'ecs',
    acts: 'under-pressure',
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

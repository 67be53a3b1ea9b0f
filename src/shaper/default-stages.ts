/** The default stages: all that the rest of the library knows of each, in the order in which they run. */
import type { Acts } from '../pipeline.js';

export interface StageFacts {
  /** Its option has this name in camel case. */
  readonly name: string;
  /** Its task in a few words, for the inspector. */
  readonly task: string;
  /** Whether no option can turn it off. Limits need its counts or vectors, or it keeps the hard cap. */
  readonly isRequired?: true;
  readonly acts: Acts;
}

export const STAGES = [
  {
    name: 'flag',
    task: 'notes text that is written for the search or the model, and can evict it',
    acts: 'always',
  },
  {
    name: 'annotate',
    task: 'counts tokens, measures entropy',
    isRequired: true,
    acts: 'always',
  },
  {
    name: 'exact-dedup',
    task: 'evicts the same text',
    acts: 'always',
  },
  {
    name: 'embed',
    task: 'asks for vectors, if there is an embedder',
    isRequired: true,
    acts: 'always',
  },
  {
    name: 'semantic-dedup',
    task: 'evicts near-copies, finds contradictions',
    acts: 'always',
  },
  {
    name: 'relevance',
    task: 'measures relevance to the question',
    acts: 'always',
  },
  {
    name: 'cluster',
    task: 'evicts redundant chunks, if room is short',
    acts: 'under-pressure',
  },
  {
    name: 'ecs',
    task: 'asks the model for the utility of each chunk',
    acts: 'under-pressure',
  },
  {
    name: 'select',
    task: 'ranks by relevance and novelty, applies k',
    acts: 'under-pressure',
  },
  {
    name: 'extract',
    task: 'keeps the sentences that answer, if room is short',
    acts: 'under-pressure',
  },
  {
    name: 'budget',
    task: 'keeps the result within the budget',
    isRequired: true,
    acts: 'on-limits',
  },
  {
    name: 'order',
    task: 'sorts the result',
    acts: 'always',
  },
] as const satisfies readonly StageFacts[];

/** The default stage of this name; undefined for another name. */
export const defaultStage = (name: string) => STAGES.find((each) => each.name === name);

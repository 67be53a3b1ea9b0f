/** One call of the graph: its settings, its documents, its events, and its calls of services. */
import type { DocumentInterface } from '@langchain/core/documents';
import type { LangGraphRunnableConfig } from '@langchain/langgraph';
import type { Chunk, Query, ResolvedOptions, Shaper } from '../../src/index.js';
import { rethrowControlFlow, tellingOf, within } from '../../src/internal.js';
import { type DocumentOptions, emit, toChunks } from '../langchain/documents/index.js';
import type { CheckedCragOptions } from './options.js';
import type { GradeVerdict, ReviewEntry, SearchEntry, Verdict } from './record.js';
import type { GradeState, State } from './state.js';

export interface Settings extends CheckedCragOptions {
  /** Has no `onEvict` and no `onReport`. Its `onStage` hears of every shaping. */
  shaper: Shaper;
  /** Finds conflicts among the kept chunks, with their statements; absent if semantic de-duplication is off. */
  comparing?: Shaper | undefined;
  /** They hear of the report of the whole. */
  observers: Pick<ResolvedOptions, 'onEvict' | 'onReport' | 'errorMessages' | 'deadlineMs'>;
  documentOptions: DocumentOptions;
}

/** The settings of one call of the graph. */
export interface Run extends Settings {
  config: LangGraphRunnableConfig;
}

/** All documents of a run, each at its place: the retrieved ones, then those that were found. */
type Documents = Pick<State, 'documents' | 'found'>;

export const documentsOf = ({ documents, found }: Documents): DocumentInterface[] => [
  ...documents,
  ...found.map(({ document }) => document),
];

export const originOf = (place: number, { documents, found }: Documents) =>
  found[place - documents.length]?.origin ?? 'retrieved';

/** The documents as chunks. Ids stay the same when documents are added at the end. */
export const chunksOf = (state: Documents, { documentOptions }: Run): Chunk[] =>
  toChunks(documentsOf(state), documentOptions);

/** The query with its vector and its answer, unless a person has changed the question. The conversation before it stays. */
export function queryOf({ query, question }: Pick<State, 'query' | 'question'>): Query {
  if (typeof query === 'string') return { text: question };
  return query.text === question ? query : { text: question, history: query.history };
}

/** Name of the events of corrective retrieval, and the `type` of the entries in a graph's stream. */
export const CRAG_EVENT = 'context_shaping.crag';

/** Plain JSON with ids and no texts. Evictions are in the event of every shaping. */
export type CragEvent =
  | { step: 'grade'; grades: GradeState[] }
  | { step: 'decide'; verdict: GradeVerdict; next: string }
  | { step: 'rewrite'; search: string }
  | ({ step: 'search' } & SearchEntry)
  | ({ step: 'review' } & ReviewEntry)
  | { step: 'refine'; verdict: Verdict; kept: string[]; digest: string };

export const emitStep = (event: CragEvent, { config }: Run): Promise<void> => emit(CRAG_EVENT, event, config);

/**
 * The answer of a service, or why it gave none. An abort and an interrupt are no failures, and are rethrown. An abort
 * ends the wait, also if the service ignores the signal.
 */
export async function answerOf<T>(
  { config: { signal }, timeoutMs, shaper }: Run,
  call: (options: { signal: AbortSignal | undefined }) => Promise<T>,
): Promise<{ answer: T } | { failure: string }> {
  try {
    return { answer: await within(timeoutMs, signal, async (own) => call({ signal: own })) };
  } catch (error) {
    rethrowControlFlow(error, signal);
    return { failure: tellingOf(shaper.options)(error) };
  }
}

/** One call of the graph: its settings, its documents, and its calls of services. */
import type { DocumentInterface } from '@langchain/core/documents';
import type { LangGraphRunnableConfig } from '@langchain/langgraph';
import type { Chunk, ResolvedOptions, Shaper } from '../../src/index.js';
import { rethrowControlFlow, tellingOf, within } from '../../src/internal.js';
import { type DocumentOptions, toChunks } from '../langchain/documents/index.js';
import type { CheckedCragOptions } from './options.js';
import type { State } from './state.js';

export interface Settings extends CheckedCragOptions {
  /** Has no `onEvict` and no `onReport`. Its `onStage` hears of every shaping. */
  shaper: Shaper;
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

export const questionOf = ({ query }: Pick<State, 'query'>): string =>
  typeof query === 'string' ? query : query.text;

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

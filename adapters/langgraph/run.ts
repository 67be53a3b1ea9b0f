/** One call of the graph: its settings, its documents, its events, and its calls of services. */
import type { DocumentInterface } from '@langchain/core/documents';
import type { LangGraphRunnableConfig } from '@langchain/langgraph';
import type { Chunk, Query, ResolvedOptions, Shaper } from '../../src/index.js';
import { defined, messageOf, rethrowControlFlow, within } from '../../src/internal.js';
import type {
  CheckedCragOptions,
  GradeVerdict,
  ReviewEntry,
  Rewrite,
  SearchEntry,
  Verdict,
  WebSearch,
} from '../crag/index.js';
import { type DocumentOptions, emit, toChunks } from '../langchain/documents/index.js';
import type { CragContext, GradeState, State } from './state.js';

export interface Settings extends Omit<CheckedCragOptions, 'webSearch'> {
  webSearch?: WebSearch | undefined;
  rewrite: Rewrite;
  /** Has no `onEvict` and no `onReport`. Its `onStage` hears of every shaping. */
  shaper: Shaper;
  /** Finds conflicts among the kept chunks, with their statements; absent if semantic de-duplication is off. */
  comparing?: Shaper | undefined;
  /** They hear of the report of the whole. */
  observers: Pick<ResolvedOptions, 'onEvict' | 'onReport' | 'errorMessages' | 'deadlineMs'>;
  documentOptions: DocumentOptions;
}

export type Config = LangGraphRunnableConfig;

/** The settings of one call of the graph. `thresholds` and `maxAttempts` are those of its context, else those of the graph. */
export interface Run extends Settings {
  config: Config;
}

export function runOf(settings: Settings, config: Config = {}): Run {
  const { thresholds = {}, maxAttempts = settings.maxAttempts } =
    (config.context as CragContext | undefined)?.crag ?? {};
  return {
    ...settings,
    maxAttempts,
    thresholds: { ...settings.thresholds, ...defined(thresholds) },
    config,
  };
}

/** All documents of a run, each at its place: the retrieved ones, then those that were found. */
type Documents = Pick<State, 'documents' | 'found'>;

export const documentsOf = ({ documents, found }: Documents): DocumentInterface[] => [
  ...documents,
  ...found.map(({ document }) => document),
];

export const originOf = (place: number, { documents, found }: Documents) =>
  found[place - documents.length]?.origin ?? 'retrieved';

/** The query with its vector and its answer, unless a person has changed the question. The conversation before it stays. */
export function queryOf({ query, question }: Pick<State, 'query' | 'question'>): Query {
  if (typeof query === 'string') return { text: question };
  return query.text === question ? query : { text: question, history: query.history };
}

/**
 * The documents as chunks. Ids stay the same when documents are added at the end. Within one call of the graph each
 * document is converted once, so `render` and `getEmbedding` run once per document.
 */
export function chunksOf(state: Documents, { documentOptions, config }: Run) {
  const conversion = (config.configurable as { [CONVERSION]?: Conversion } | undefined)?.[CONVERSION];
  return (conversion ?? newConversion(documentOptions))(documentsOf(state));
}

type Conversion = (documents: readonly DocumentInterface[]) => readonly Chunk[];

/**
 * Its value is a conversion, which lives as long as one call of the graph. A symbol, so that it gets neither into
 * traces nor into checkpoints, where vectors would take room.
 */
const CONVERSION = Symbol('context-shaping.conversion');

/** The fields that a call of the graph adds to `configurable`. */
export const conversionOfCall = (options: DocumentOptions): object => ({
  [CONVERSION]: newConversion(options),
});

function newConversion({ getEmbedding, render, ...options }: DocumentOptions): Conversion {
  const onceEach: DocumentOptions = {
    ...options,
    getEmbedding: getEmbedding && once(getEmbedding),
    render: render && once(render),
  };
  let converted: readonly DocumentInterface[] = [];
  let chunks: readonly Chunk[] = [];
  return (documents) => {
    const isConverted =
      documents.length === converted.length &&
      documents.every((document, place) => document === converted[place]);
    if (isConverted) return chunks;
    chunks = toChunks(documents, onceEach);
    converted = documents;
    return chunks;
  };
}

/** The same function, which keeps its results. */
function once<T>(call: (document: DocumentInterface) => T): (document: DocumentInterface) => T {
  const results = new Map<DocumentInterface, T>();
  return (document) => {
    if (!results.has(document)) results.set(document, call(document));
    return results.get(document) as T;
  };
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
 * The answer of a service. An abort ends the wait, also if the service ignores the signal. LangGraph adds fields to a
 * thrown value. A value that takes no fields, such as a string, is therefore thrown as an error with the same message.
 */
export async function callService<T>(
  call: (options: { signal: AbortSignal | undefined }) => Promise<T>,
  { config: { signal } }: Run,
): Promise<T> {
  try {
    return await within(undefined, signal, (own) => call({ signal: own }));
  } catch (error) {
    rethrowControlFlow(error, signal);
    const isError = typeof (error as { message?: unknown } | null | undefined)?.message === 'string';
    throw isError && Object.isExtensible(error) ? error : new Error(messageOf(error), { cause: error });
  }
}

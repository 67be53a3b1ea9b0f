/** All documents of a run, each at its place: the retrieved ones, then those that were found. */
import type { DocumentInterface } from '@langchain/core/documents';
import type { Chunk, Query } from '../../src/index.js';
import { type DocumentOptions, toChunks } from '../langchain/documents/index.js';
import type { Run } from './settings.js';
import type { State } from './state.js';

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

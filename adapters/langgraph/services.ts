/** What the nodes of one graph share: its options, and documents as chunks. */
import type { DocumentInterface } from '@langchain/core/documents';
import type { LangGraphRunnableConfig } from '@langchain/langgraph';
import type { Chunk, Query, ResolvedOptions, Shaper } from '../../src/index.js';
import type { ResolvedCragOptions, Thresholds } from '../crag/index.js';
import { type DocumentOptions, toChunks } from '../documents/index.js';
import type { CragContext, State } from './state.js';

export interface Services extends ResolvedCragOptions {
  /** Tells nobody of its reports; of its stages, while they run. */
  shaper: Shaper;
  /** Are told of the report of the whole. */
  observers: Pick<ResolvedOptions, 'onEvict' | 'onReport' | 'deadlineMs'>;
  documentOptions: DocumentOptions;
}

export type Config = LangGraphRunnableConfig;

/** All documents of a run, each at its place. */
export const documentsOf = ({
  documents,
  found,
}: Pick<State, 'documents' | 'found'>): DocumentInterface[] => [
  ...documents,
  ...found.map(({ document }) => document),
];

/** Ids stay as they are while documents are added behind. */
export const chunksOf = (state: Pick<State, 'documents' | 'found'>, { documentOptions }: Services): Chunk[] =>
  toChunks(documentsOf(state), documentOptions);

/** With the vector and the answer that came with it, unless a person has changed it. */
export const queryOf = ({ query, question }: Pick<State, 'query' | 'question'>): Query =>
  typeof query === 'string' || query.text !== question ? { text: question } : query;

export const originOf = (place: number, { documents, found }: Pick<State, 'documents' | 'found'>) =>
  found[place - documents.length]?.origin ?? 'retrieved';

/** Of this run, else of the graph. */
export function thresholdsOf({ thresholds }: Services, config: Config): Thresholds {
  const { lower, upper } = ofRun(config)?.thresholds ?? {};
  return { lower: lower ?? thresholds.lower, upper: upper ?? thresholds.upper };
}

export const maxAttemptsOf = ({ maxAttempts }: Services, config: Config): number =>
  ofRun(config)?.maxAttempts ?? maxAttempts;

const ofRun = ({ context }: Config) => (context as CragContext | undefined)?.crag;

import { embeddingsFilter } from '../methods/langchain.js';
import { bm25 } from '../methods/lexical.js';
import { ours, oursScoresVectors, oursVectors, oursWhole } from '../methods/ours.js';

/** Ours, and what a user would have without it: the best by the retriever's own score. */
export const COMPARISONS: readonly (readonly [method: string, baseline: string])[] = [
  [ours.name, bm25.name],
  [oursWhole.name, bm25.name],
  [oursVectors.name, bm25.name],
  [oursVectors.name, embeddingsFilter.name],
  [oursScoresVectors.name, bm25.name],
  [oursScoresVectors.name, embeddingsFilter.name],
];

import { cosine } from './math/vectors.js';
import type { Lexicon } from './text/lexicon.js';
import { TermIndex } from './text/term-index.js';
import type { Candidate } from './types.js';

/** How alike the candidates of a pool are. Rows are computed when asked for, by place in the pool. */
export interface Similarity {
  readonly measure: 'cosine' | 'lexical';
  /** Similarity of one candidate to each of the pool, -1..1. */
  row(place: number): Float64Array;
}

/** Cosine of the vectors. Every candidate must have one. */
export function vectorSimilarity(candidates: readonly Candidate[]): Similarity {
  const vectors = candidates.map((candidate) => candidate.vector as Float32Array);
  return {
    measure: 'cosine',
    row: (place) => Float64Array.from(vectors, (vector) => cosine(vectors[place] as Float32Array, vector)),
  };
}

/** Overlap of stemmed words: Jaccard of distinct words, or cosine with rare words weighing more. */
export function lexicalSimilarity(
  candidates: readonly Candidate[],
  lexicon: Lexicon,
  overlap: 'jaccard' | 'tfidf',
): Similarity {
  const index = new TermIndex(candidates.map((candidate) => lexicon.terms(candidate.text)));
  return {
    measure: 'lexical',
    row: (place) => (overlap === 'jaccard' ? index.jaccard(place) : index.tfidfCosine(place)),
  };
}

/** By vectors where there are some, else by words. */
export function similarityOf(
  candidates: readonly Candidate[],
  lexicon: Lexicon,
  overlap: 'jaccard' | 'tfidf',
): Similarity {
  return haveVectors(candidates)
    ? vectorSimilarity(candidates)
    : lexicalSimilarity(candidates, lexicon, overlap);
}

/** After the embed stage, all candidates have vectors or none has. */
export function haveVectors(candidates: readonly Candidate[]): boolean {
  return candidates.length > 0 && candidates.every((candidate) => candidate.vector !== undefined);
}

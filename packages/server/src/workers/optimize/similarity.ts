/** Similarities between texts, and of texts with the query: by vectors, or by words if there are no vectors. */
import { condensedIndex, cosines, gram, pack } from 'context-shaping/internal';
import { TfidfIndex } from './duplicates.js';
import type { Words } from './words.js';

export interface Similarity {
  /** Cosine of two texts, by position; of a text with itself 1, or 0 if its vector is zero. */
  cosine(a: number, b: number): number;
  /** 1 − cosine of all pairs, packed as `condensedIndex` says, in the precision of 32 bits. */
  distances: Float64Array;
}

/** Cosine of a text with the query, by position. */
export type ToQuery = (place: number) => number;

/** @param vectors have unit length or are zero. */
export function byVectors(vectors: readonly Float32Array[]): Similarity {
  const distances = new Float64Array(gram(pack(vectors))).map((similarity) => 1 - similarity);
  const own = vectors.map((vector) => (vector.some((component) => component !== 0) ? 1 : 0));
  return fromDistances(vectors.length, distances, own);
}

export function byWords(texts: readonly Words[]): Similarity {
  const n = texts.length;
  const index = new TfidfIndex(texts);
  const distances = new Float64Array((n * (n - 1)) / 2);
  for (let b = 0; b < n; b++) {
    for (const [a, similarity] of index.cosines(b).subarray(0, b).entries())
      distances[condensedIndex(n, a, b)] = Math.fround(1 - similarity);
    index.add(b);
  }
  const own = texts.map(({ terms }) => (terms.size > 0 ? 1 : 0));
  return fromDistances(n, distances, own);
}

export function toQueryByVectors(vectors: readonly Float32Array[], query: Float32Array): ToQuery {
  const similarities = cosines(pack([query]), pack(vectors));
  return (place) => similarities[place] as number;
}

export function toQueryByWords(texts: readonly Words[], query: Words): ToQuery {
  const index = new TfidfIndex([...texts, query]);
  for (const place of texts.keys()) index.add(place);
  const similarities = index.cosines(texts.length);
  return (place) => similarities[place] as number;
}

function fromDistances(n: number, distances: Float64Array, own: readonly number[]): Similarity {
  return {
    distances,
    cosine: (a, b) => (a === b ? (own[a] as number) : 1 - (distances[condensedIndex(n, a, b)] as number)),
  };
}

/** The distances between some of the texts, packed the same way. */
export function among(places: readonly number[], { distances }: Similarity, n: number): Float64Array {
  const packed = new Float64Array((places.length * (places.length - 1)) / 2);
  let at = 0;
  for (let i = 0; i < places.length; i++)
    for (let j = i + 1; j < places.length; j++)
      packed[at++] = distances[condensedIndex(n, places[i] as number, places[j] as number)] as number;
  return packed;
}

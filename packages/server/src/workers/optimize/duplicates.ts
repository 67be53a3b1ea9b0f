/**
 * Near-copies as SlimContext finds them. A text is a copy of a kept text if any of these holds:
 *
 *   tfidf >= .25, and both have 12 words or more
 *   cosine >= .999, and tfidf >= .13
 *   1 − cosine < threshold, and Jaccard >= .55
 *
 * tfidf is the cosine of vectors of tf · (ln((1 + n) / (1 + df)) + 1) over the texts of this request (scikit-learn's
 * TfidfVectorizer); Jaccard is the Jaccard index of distinct words. If the median of all distances is below .02, because
 * the model's vectors are all close together, the threshold becomes max(.00005, median / 5).
 */
import type { Words } from './words.js';

const COPY_OF_LONG = { tfidf: 0.25, words: 12 };
const COPY_BY_VECTOR = { cosine: 0.999, tfidf: 0.13 };
const LEAST_JACCARD = 0.55;
const CROWDED = { median: 0.02, share: 1 / 5, least: 5e-5 };

export interface Likeness {
  words: readonly Words[];
  /** Cosine of two texts, by position. */
  cosine(a: number, b: number): number;
  /** All distances, in any order. */
  distances: Float64Array;
}

/**
 * @param scores texts are checked by descending score, ties in input order.
 * @returns the positions of the texts that are no copies, ascending.
 */
export function withoutCopies(likeness: Likeness, scores: readonly number[], maxDistance: number): number[] {
  const { words, cosine } = likeness;
  const threshold = loweredIfCrowded(maxDistance, likeness.distances);
  const tfidf = new TfidfIndex(words);
  const kept: number[] = [];
  for (const place of byScore(scores)) {
    const toKept = tfidf.cosines(place);
    const isCopyOf = (other: number): boolean => {
      const byWords = toKept[other] as number;
      const isLong = (words[place] as Words).length >= COPY_OF_LONG.words;
      if (byWords >= COPY_OF_LONG.tfidf && isLong && (words[other] as Words).length >= COPY_OF_LONG.words)
        return true;
      const byVectors = cosine(place, other);
      if (byVectors >= COPY_BY_VECTOR.cosine && byWords >= COPY_BY_VECTOR.tfidf) return true;
      return (
        1 - byVectors < threshold && jaccard(words[place] as Words, words[other] as Words) >= LEAST_JACCARD
      );
    };
    if (kept.some(isCopyOf)) continue;
    kept.push(place);
    tfidf.add(place);
  }
  return kept.sort((a, b) => a - b);
}

/** Positions by descending score, ties in input order. */
export const byScore = (scores: readonly number[]): number[] =>
  Array.from(scores.keys()).sort((a, b) => (scores[b] as number) - (scores[a] as number));

function loweredIfCrowded(threshold: number, distances: Likeness['distances']): number {
  const middle = distances.length >> 1;
  if (distances.length === 0) return threshold;
  let crowded = 0;
  for (const distance of distances) if (distance < CROWDED.median) crowded++;
  // Avoids sorting all distances; the median is rarely that low.
  if (crowded < middle) return threshold;
  const sorted = distances.toSorted();
  const upper = sorted[middle] as number;
  const median = distances.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
  return median < CROWDED.median
    ? Math.min(threshold, Math.max(CROWDED.least, median * CROWDED.share))
    : threshold;
}

/** Jaccard index of the distinct words of two texts; 0 if both have none. */
export function jaccard({ distinct: one }: Words, { distinct: other }: Words): number {
  let shared = 0;
  for (const word of one) if (other.has(word)) shared++;
  const all = one.size + other.size - shared;
  return all === 0 ? 0 : shared / all;
}

/** TF-IDF cosines of one text with the added texts, computed with an inverted index. */
export class TfidfIndex {
  /** The weights by term, for each text. */
  readonly #weights: readonly ReadonlyMap<string, number>[];
  readonly #postings = new Map<string, { place: number; weight: number }[]>();
  readonly #sums: Float64Array;

  constructor(texts: readonly Words[]) {
    const idf = inverseFrequencies(texts);
    this.#sums = new Float64Array(texts.length);
    this.#weights = texts.map(({ terms }) => {
      const weights = [...terms].map(([term, count]) => [term, count * (idf.get(term) as number)] as const);
      const norm = Math.sqrt(weights.reduce((sum, [, weight]) => sum + weight ** 2, 0));
      return new Map(weights.map(([term, weight]) => [term, weight / norm]));
    });
  }

  add(place: number): void {
    for (const [term, weight] of this.#weights[place] as ReadonlyMap<string, number>) {
      const posting = this.#postings.get(term);
      if (posting === undefined) this.#postings.set(term, [{ place, weight }]);
      else posting.push({ place, weight });
    }
  }

  /** By position; 0 for texts that were not added. Valid until the next call. */
  cosines(place: number): Float64Array {
    const sums = this.#sums.fill(0);
    for (const [term, own] of this.#weights[place] as ReadonlyMap<string, number>) {
      for (const { place: other, weight } of this.#postings.get(term) ?? [])
        sums[other] = (sums[other] as number) + own * weight;
    }
    return sums;
  }
}

/** Inverse document frequencies by term. */
function inverseFrequencies(texts: readonly Words[]): Map<string, number> {
  const frequencies = new Map<string, number>();
  for (const { terms } of texts)
    for (const term of terms.keys()) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  for (const [term, frequency] of frequencies)
    frequencies.set(term, Math.log((1 + texts.length) / (1 + frequency)) + 1);
  return frequencies;
}

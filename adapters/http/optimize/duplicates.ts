/**
 * Near-copies, as SlimContext finds them. A text is a copy of one that stays if any of these holds:
 *
 *   tfidf >= .25, and both have 12 words or more
 *   cosine >= .999, and tfidf >= .13
 *   1 − cosine < threshold, and Jaccard >= .55
 *
 * tfidf is the cosine of vectors of tf · (ln((1 + n) / (1 + df)) + 1) over the texts of this request (scikit-learn's
 * TfidfVectorizer), Jaccard that of distinct words. If the median of all distances is below .02, because the model
 * puts everything into one corner, the threshold is lowered to max(.00005, median / 5).
 */
import type { Words } from './words.js';

const COPY_OF_LONG = { tfidf: 0.25, words: 12 };
const COPY_BY_VECTOR = { cosine: 0.999, tfidf: 0.13 };
const LEAST_JACCARD = 0.55;
const CROWDED = { median: 0.02, share: 1 / 5, least: 5e-5 };

export interface Likeness {
  words: readonly Words[];
  /** Of two texts by their places. */
  cosine(a: number, b: number): number;
  /** All distances, in any order. */
  distances: Float64Array;
}

export interface Copy {
  /** Place of the one that stays. */
  of: number;
  distance: number;
}

/**
 * @param scores the best are looked at first, equal ones in their order.
 * @returns the copies by their places. What is not among them stays.
 */
export function findCopies(
  likeness: Likeness,
  scores: readonly number[],
  maxDistance: number,
): Map<number, Copy> {
  const { words, cosine } = likeness;
  const copies = new Map<number, Copy>();
  const threshold = loweredIfCrowded(maxDistance, likeness.distances);
  const tfidf = new TfidfIndex(words);
  const kept: number[] = [];
  for (const place of Array.from(scores.keys()).sort(
    (a, b) => (scores[b] as number) - (scores[a] as number),
  )) {
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
    const original = kept.find(isCopyOf);
    if (original === undefined) {
      kept.push(place);
      tfidf.add(place);
    } else copies.set(place, { of: original, distance: 1 - cosine(place, original) });
  }
  return copies;
}

function loweredIfCrowded(threshold: number, distances: Likeness['distances']): number {
  const middle = distances.length >> 1;
  if (distances.length === 0) return threshold;
  let crowded = 0;
  for (const distance of distances) if (distance < CROWDED.median) crowded++;
  // Sorting all of them takes a while, and the median is hardly ever that low.
  if (crowded < middle) return threshold;
  const sorted = distances.toSorted();
  const upper = sorted[middle] as number;
  const median = distances.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
  return median < CROWDED.median
    ? Math.min(threshold, Math.max(CROWDED.least, median * CROWDED.share))
    : threshold;
}

/** Share of the distinct words of two texts that both have; 0 where there are none. */
export function jaccard(one: Words, other: Words): number {
  const has = new Set(one.distinct);
  let shared = 0;
  for (const word of other.distinct) if (has.has(word)) shared++;
  const all = one.distinct.length + other.distinct.length - shared;
  return all === 0 ? 0 : shared / all;
}

/** TF-IDF cosines of one text with those that were added, by way of the texts that each term occurs in. */
export class TfidfIndex {
  readonly #vectors: readonly (readonly (readonly [term: number, weight: number])[])[];
  readonly #postings = new Map<number, { places: number[]; weights: number[] }>();

  constructor(texts: readonly Words[]) {
    const idf = inverseFrequencies(texts);
    this.#vectors = texts.map(({ terms }) => {
      const weights = Array.from(
        terms,
        ([term, count]) => [term, count * (idf.get(term) as number)] as const,
      );
      const norm = Math.sqrt(weights.reduce((sum, [, weight]) => sum + weight ** 2, 0));
      return weights.map(([term, weight]) => [term, weight / norm] as const);
    });
  }

  add(place: number): void {
    for (const [term, weight] of this.#vectors[place] ?? []) {
      const posting = this.#postings.get(term);
      if (posting === undefined) this.#postings.set(term, { places: [place], weights: [weight] });
      else {
        posting.places.push(place);
        posting.weights.push(weight);
      }
    }
  }

  /** By place; 0 for those that were not added. */
  cosines(place: number): Float64Array {
    const sums = new Float64Array(this.#vectors.length);
    for (const [term, weight] of this.#vectors[place] ?? []) {
      const posting = this.#postings.get(term);
      if (posting === undefined) continue;
      const { places, weights } = posting;
      for (let i = 0; i < places.length; i++)
        sums[places[i] as number] = (sums[places[i] as number] as number) + weight * (weights[i] as number);
    }
    return sums;
  }
}

function inverseFrequencies(texts: readonly Words[]): Map<number, number> {
  const frequencies = new Map<number, number>();
  for (const { terms } of texts)
    for (const term of terms.keys()) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  return new Map(
    Array.from(frequencies, ([term, frequency]) => [
      term,
      Math.log((1 + texts.length) / (1 + frequency)) + 1,
    ]),
  );
}

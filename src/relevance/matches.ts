/** How well the words of a passage match those of the question: one value per passage, 0 if no word matches. */

import { Occurrences } from './occurrences.js';
import type { Hit, Pool } from './pool.js';

/** Greatest distance, in terms, between the first and the last term of a window. */
const WINDOW = 12;

/** Sums the weights (idf) of the question's words in each passage; rare words weigh more. */
export function coverage({
  size,
  occurrences: { starts, terms },
  idf,
}: Pick<Pool, 'size' | 'occurrences' | 'idf'>): Float64Array {
  const sums = new Float64Array(size);
  for (let place = 0, at = 0; place < size; place++) {
    const end = starts[place + 1] as number;
    let sum = 0;
    for (; at < end; at++) sum += idf[terms[at] as number] as number;
    sums[place] = sum;
  }
  return sums;
}

/** Sums the weights of the pairs of consecutive words that question and passage share; rare pairs weigh more. */
export function phrase(pool: Pool): Float64Array {
  const { sequence, terms, carried } = pool.question;
  const { weightOf } = pool;
  const content = new Set(terms);
  /** By first word: the number of the pair with each second word. */
  const following = new Map<number, Map<number, number>>();
  const weights: number[] = [];
  const learn = (sequence: Int32Array, weigh: (word: number, next: number) => number) => {
    for (const [at, next] of sequence.subarray(1).entries()) {
      const word = sequence[at] as number;
      const weight = weigh(word, next);
      if (weight === 0) continue;
      const pairs = following.get(word) ?? new Map<number, number>();
      const pair = pairs.get(next) ?? weights.length;
      following.set(word, pairs.set(next, pair));
      weights[pair] = Math.max(weight, weights[pair] ?? 0);
    }
  };
  learn(sequence, (word, next) => Number(content.has(word) || content.has(next)));
  // Both words of a pair from an earlier turn have to be carried over or asked for.
  for (const turn of carried?.sequences ?? []) {
    learn(turn, (word, next) => Math.min(weightOf.get(word) ?? 0, weightOf.get(next) ?? 0));
  }
  const found = new Occurrences(weights.length);
  for (const { terms } of pool.passages) {
    for (let at = 1; at < terms.length; at++) {
      const pair = following.get(terms[at - 1] as number)?.get(terms[at] as number);
      if (pair !== undefined) found.add(pair);
    }
    found.next();
  }
  const rarities = found.frequencies.map((df) => pool.inverseFrequency(df));
  const sums = new Float64Array(pool.size);
  for (let place = 0, at = 0; place < sums.length; place++) {
    let sum = 0;
    for (const end = found.starts[place + 1] as number; at < end; at++) {
      const pair = found.terms[at] as number;
      sum += (weights[pair] as number) * (rarities[pair] as number);
    }
    sums[place] = sum;
  }
  return sums;
}

/** Returns the greatest sum of weights (idf) of the question's words within one window of the passage. */
export function proximity({ hits, idf }: Pool): Float64Array {
  /** By word: how often it is inside the window. */
  const inside = new Int32Array(idf.length);
  const greatest = (own: readonly Hit[]) => {
    inside.fill(0);
    let mass = 0;
    let best = 0;
    let first = 0;
    for (const { at, term } of own) {
      const times = inside[term] as number;
      inside[term] = times + 1;
      if (times === 0) mass += idf[term] as number;
      for (; at - (own[first]?.at as number) > WINDOW; first++) {
        const gone = own[first]?.term as number;
        const left = (inside[gone] as number) - 1;
        inside[gone] = left;
        if (left === 0) mass -= idf[gone] as number;
      }
      best = Math.max(best, mass);
    }
    return best;
  };
  return Float64Array.from(hits, greatest);
}

/** Returns the share of the distinct words of the title that the question contains; 0 without a title. */
export function title({ passages, question, weightOf }: Pool): Float64Array {
  const asked = new Map(weightOf);
  for (const term of question.sequence) asked.set(term, 1);
  // Units of a chunk share the array of its title.
  const known = new Map<Int32Array, number>();
  return Float64Array.from(passages, ({ title }) => {
    let share = known.get(title);
    if (share === undefined) {
      const distinct = new Set(title);
      let named = 0;
      for (const term of distinct) named += asked.get(term) ?? 0;
      share = distinct.size === 0 ? 0 : named / distinct.size;
      known.set(title, share);
    }
    return share;
  });
}

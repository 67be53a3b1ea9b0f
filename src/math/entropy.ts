/**
 * Shannon entropy of a sequence of symbols, in bits per symbol, estimated from their frequencies:
 *
 *   H = − Σ_s p(s) log2 p(s),   p(s) = occurrences of s / number of symbols
 *
 * Source: C. E. Shannon, "A Mathematical Theory of Communication", Bell System Technical Journal 27, 1948.
 */
import { log2 } from './elementary.js';

/** The entropies in bits that count as fully varied: 64 equally frequent characters, 256 equally frequent words. */
const CHARACTER_CEILING = 6;
const TOKEN_CEILING = 8;
const TOKEN_SHARE = 0.6;

/**
 * Returns the entropy of a sequence of symbols in bits per symbol, at least 0. It is 0 for an empty sequence, and for
 * one symbol no matter how often it is repeated.
 */
export function shannonEntropy(symbols: Iterable<string | number>): number {
  const numbers = new Map<string | number, number>();
  const sequence: number[] = [];
  for (const symbol of symbols) {
    const number = numbers.get(symbol) ?? numbers.size;
    numbers.set(symbol, number);
    sequence.push(number);
  }
  return entropyOfNumbers(sequence, new Uint32Array(numbers.size));
}

/** The distinct numbers of one sequence, in the order of their first occurrence. */
let distinct = new Uint32Array(256);
/** By count: count × log2 count, as far as counts are frequent. */
const TABLED = 512;
let tabled: Float64Array | undefined;

/**
 * Returns the entropy of a sequence of numbers, in bits per number.
 *
 * @param counts one entry for each possible number, all 0. They are 0 again when the function returns.
 * @param total the length of the sequence, if it is only the beginning of `numbers`.
 */
export function entropyOfNumbers(
  numbers: ArrayLike<number>,
  counts: Uint32Array,
  total = numbers.length,
): number {
  if (total === 0) return 0;
  if (total > distinct.length) distinct = new Uint32Array(2 * total);
  let kinds = 0;
  for (let at = 0; at < total; at++) {
    const number = numbers[at] as number;
    const count = counts[number] as number;
    if (count === 0) distinct[kinds++] = number;
    counts[number] = count + 1;
  }
  tabled ??= Float64Array.from({ length: TABLED }, (_, count) => (count > 1 ? count * log2(count) : 0));
  let sum = 0;
  for (let at = 0; at < kinds; at++) {
    const number = distinct[at] as number;
    const count = counts[number] as number;
    sum += count < TABLED ? (tabled[count] as number) : count * log2(count);
    counts[number] = 0;
  }
  return Math.max(0, log2(total) - sum / total);
}

/**
 * Combines both entropies into one figure, 0..1: 60 % tokens, 40 % characters, each as a share of its ceiling. Empty,
 * short and repetitive texts have low values. The figure measures how varied a text is, not how useful: as a ranker it
 * does worse than chance.
 */
export function blendEntropy(character: number, token: number): number {
  return (
    TOKEN_SHARE * Math.min(1, token / TOKEN_CEILING) +
    (1 - TOKEN_SHARE) * Math.min(1, character / CHARACTER_CEILING)
  );
}

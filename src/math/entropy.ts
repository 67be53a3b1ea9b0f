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

/** Counts by code unit, all zero between calls. It takes 256 kB, so it is created at the first use. */
let codeCounts: Uint32Array | undefined;

/**
 * Returns the entropy of the characters (code points) of a text, in bits per character. If every character is one code
 * unit, this takes a tenth of the time of {@link shannonEntropy}.
 */
export function characterEntropy(text: string): number {
  const codes = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0xd800 && code < 0xe000) return shannonEntropy(text);
    codes[at] = code;
  }
  codeCounts ??= new Uint32Array(0x10000);
  return entropyOfNumbers(codes, codeCounts);
}

/**
 * Returns the entropy of a sequence of numbers, in bits per number.
 *
 * @param counts one entry for each possible number, all 0. They are 0 again when the function returns.
 */
export function entropyOfNumbers(numbers: ArrayLike<number>, counts: Uint32Array): number {
  const total = numbers.length;
  if (total === 0) return 0;
  for (let at = 0; at < total; at++) {
    const number = numbers[at] as number;
    counts[number] = (counts[number] as number) + 1;
  }
  let sum = 0;
  for (let at = 0; at < total; at++) {
    const number = numbers[at] as number;
    const count = counts[number] as number;
    if (count > 1) sum += count * log2(count);
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

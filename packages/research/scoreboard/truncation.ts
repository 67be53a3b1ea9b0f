/** For rivals that cut one text: the longest cut that fits, and the chunks that it shows. */
import type { Kept } from '../eval/metrics.js';
import { type Given, WHOLE } from './rival.js';

/** A cut that fills so much of the budget is long enough. */
const FULL = 0.99;

/** A cut that fits and is hardly shorter than the longest that does: a longer cut is taken to have more tokens. */
export function longest(
  { countTokens }: Pick<Given, 'countTokens'>,
  most: number,
  maxTokens: number,
  cut: (characters: number) => string,
): string {
  let [fits, tooLong] = [0, most + 1];
  // Half of it is seldom where the bound is, and to count a long text takes seconds.
  let middle = Math.min(most, 4 * maxTokens);
  while (tooLong - fits > 1) {
    const tokens = countTokens(cut(middle));
    if (tokens <= maxTokens) fits = middle;
    else tooLong = middle;
    if (fits === middle && tokens >= FULL * maxTokens) break;
    const guess = Math.floor((middle * maxTokens) / Math.max(1, tokens));
    middle = guess > fits && guess < tooLong ? guess : (fits + tooLong) >> 1;
  }
  return cut(fits);
}

/** A cut of a result is one text. A cut of passages is the part of each passage that it shows, so that its id is known. */
export function attributed({ result, chunks }: Pick<Given, 'result' | 'chunks'>, shown: string): Kept[] {
  if (result !== undefined) return [{ id: WHOLE, text: shown }];
  return chunks.flatMap(({ id, text }) => {
    if (shown.includes(text)) return [{ id, text }];
    // The first or the last passage of the cut.
    const part = overlap(shown, text) || overlap(text, shown);
    return part === '' ? [] : [{ id, text: part }];
  });
}

/** The longest end of one text that is the beginning of the other, from 20 characters. */
function overlap(one: string, other: string): string {
  for (let size = Math.min(one.length, other.length); size >= 20; size--)
    if (one.endsWith(other.slice(0, size))) return other.slice(0, size);
  return '';
}

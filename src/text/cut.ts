/** Finds offsets at which a text may be cut without a change of meaning. */
import type { Excerpt } from '../types.js';
import { sentenceEnds } from './units/sentences.js';

/**
 * Finds the longest beginning of `text` that costs at most `maxTokens`: whole sentences or lines. If the first of these
 * is too long, it consists of whole words. It is verbatim, without white space at its ends.
 *
 * @returns its offsets, or `undefined` if not one word fits.
 */
export function cutToFit(
  text: string,
  maxTokens: number,
  countTokens: (text: string) => number,
): Excerpt | undefined {
  const start = text.length - text.trimStart().length;
  const trimmed = text.trimEnd();
  for (const ends of [endsOfSentences(trimmed), endsOfWords(trimmed)]) {
    const end = lastThatFits(ends, (at) => countTokens(trimmed.slice(start, at).trimEnd()) <= maxTokens);
    const length = trimmed.slice(start, end ?? start).trimEnd().length;
    if (length > 0) return { start, end: start + length };
  }
  return undefined;
}

/** Yields the ends of sentences and of lines, ascending. It computes each end on demand. */
function* endsOfSentences(text: string): Generator<number> {
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start);
    const stop = found < 0 ? text.length : found;
    for (const end of sentenceEnds(text.slice(start, stop))) yield start + end;
    start = stop + 1;
  }
}

/** Segmenters take time that grows with the square of the number of segments in their input. */
const WINDOW = 1024;

/** Yields the ends of words, ascending. It computes each end on demand. */
function* endsOfWords(text: string): Generator<number> {
  if (typeof Intl.Segmenter !== 'function') {
    for (const match of text.matchAll(/\S+\s*/g)) yield match.index + match[0].length;
    return;
  }
  const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
  let start = 0;
  let size = WINDOW;
  while (start < text.length) {
    const stop = wholeCharacters(text, start + size);
    const segments = Array.from(
      segmenter.segment(text.slice(start, stop)),
      ({ index, segment }) => index + segment.length,
    );
    // The following text decides where the last segment ends, and sometimes (can't) the one before it.
    const known = stop < text.length ? segments.slice(0, -2) : segments;
    if (known.length === 0) size *= 2;
    else {
      for (const end of known) yield start + end;
      start += known[known.length - 1] as number;
      size = WINDOW;
    }
  }
}

/** Returns the offset itself, or the next one if it is inside a surrogate pair; at most the end of the text. */
function wholeCharacters(text: string, at: number): number {
  if (at >= text.length) return text.length;
  return /[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(at - 1, at + 1)) ? at + 1 : at;
}

/**
 * Returns the last element that passes. Elements that pass are assumed to come first. Costs grow with length, except
 * for a few tokens where pieces join, so the end that bisection finds is the last of its run.
 *
 * The function doubles the distance until an element fails. So the time to find a short beginning of a long text grows
 * with the beginning, not with the text.
 */
function lastThatFits(ascending: Iterable<number>, passes: (value: number) => boolean): number | undefined {
  const values: number[] = [];
  let low = 0;
  let next = 256;
  for (const value of ascending) {
    values.push(value);
    if (value < next) continue;
    if (!passes(value)) break;
    low = values.length;
    next = 2 * value;
  }
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passes(values[middle] as number)) low = middle + 1;
    else high = middle;
  }
  return values[low - 1];
}

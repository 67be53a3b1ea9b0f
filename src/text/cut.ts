/** Finding places where a text may be cut without changing what its words say. */
import type { Excerpt } from '../types.js';
import { sentenceEnds } from './units/sentences.js';

/**
 * The longest beginning of `text` that costs at most `maxTokens`: whole sentences or lines, or whole words if
 * the first of these alone is too long. Verbatim, white space at the ends left out.
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
  for (const ends of [endsOfSentences, endsOfWords]) {
    const end = lastThatFits(
      ends(trimmed),
      (at) => countTokens(trimmed.slice(start, at).trimEnd()) <= maxTokens,
    );
    const length = trimmed.slice(start, end ?? start).trimEnd().length;
    if (length > 0) return { start, end: start + length };
  }
  return undefined;
}

/** Ends of sentences and of lines, ascending, found as they are asked for. */
function* endsOfSentences(text: string): Generator<number> {
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start);
    const stop = found < 0 ? text.length : found;
    for (const end of sentenceEnds(text.slice(start, stop))) yield start + end;
    start = stop + 1;
  }
}

/** Segmenters take a time that grows with the square of the segments in what they are given. */
const WINDOW = 1024;

/** Ends of words, ascending, found as they are asked for. */
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
    // What follows decides where the last segment ends, and at times (can't) the one before it.
    const known = stop < text.length ? segments.slice(0, -2) : segments;
    if (known.length === 0) size *= 2;
    else {
      for (const end of known) yield start + end;
      start += known[known.length - 1] as number;
      size = WINDOW;
    }
  }
}

/** The place itself, or the one behind it if it lies inside a pair of surrogates; at most the end. */
function wholeCharacters(text: string, at: number): number {
  if (at >= text.length) return text.length;
  return /[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(at - 1, at + 1)) ? at + 1 : at;
}

/**
 * The last element that passes, given that what passes comes first. Costs grow with length but for a
 * token here and there where pieces join, so the end that bisection finds is the last of its run.
 *
 * Tries twice as far each time until one fails, so that a short beginning of a long text is found in
 * a time that grows with the beginning, not with the text.
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

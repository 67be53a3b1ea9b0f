/** Finding places where a text may be cut without changing what its words say. */
import type { Excerpt } from '../types.js';

/**
 * The longest beginning of `text` that costs at most `maxTokens`: whole sentences, or whole words if the
 * first sentence alone is too long. Verbatim, white space at the ends left out.
 *
 * @returns its offsets, or `undefined` if not one word fits.
 */
export function cutToFit(
  text: string,
  maxTokens: number,
  countTokens: (text: string) => number,
): Excerpt | undefined {
  const start = text.length - text.trimStart().length;
  for (const granularity of ['sentence', 'word'] as const) {
    const end = lastThatFits(
      ends(text, granularity),
      (at) => countTokens(text.slice(start, at).trimEnd()) <= maxTokens,
    );
    const length = text.slice(start, end ?? start).trimEnd().length;
    if (length > 0) return { start, end: start + length };
  }
  return undefined;
}

/** Ends of the sentences or words of a text, ascending. */
function ends(text: string, granularity: 'sentence' | 'word'): number[] {
  if (typeof Intl.Segmenter === 'function') {
    const segments = new Intl.Segmenter(undefined, { granularity }).segment(text);
    return Array.from(segments, ({ index, segment }) => index + segment.length);
  }
  const piece =
    granularity === 'sentence' ? /[^.!?。！？\n]*(?:[.!?。！？]+["'”’)\]]*\s*|\n+|$)/gu : /\S+\s*/gu;
  return Array.from(text.matchAll(piece), (match) => match.index + match[0].length).filter((end) => end > 0);
}

/**
 * The last element that passes, given that what passes comes first. Costs grow with length but for a
 * token here and there where pieces join, so the end that bisection finds is the last of its run.
 */
function lastThatFits(sorted: readonly number[], passes: (value: number) => boolean): number | undefined {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passes(sorted[middle] as number)) low = middle + 1;
    else high = middle;
  }
  return sorted[low - 1];
}

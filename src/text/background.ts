/**
 * Frequencies of common words in the language. A pool does not show them: each text that was retrieved for a question
 * contains the question's words, so these words look worthless there.
 *
 * Source: the word list of `background-words.ts`, and K. Spärck Jones, 1972, cited there.
 */
import { exp2 } from '../math/elementary.js';
import { BACKGROUND_WORDS } from './background-words.js';

/** The functions of this module, for callers that load it on demand: the word list is a fifth of a page's download. */
export type Background = Readonly<{
  shareOfTexts(stem: string): number;
  isEnglish(stems: readonly string[]): boolean;
}>;

let shareOfStem: Map<string, number> | undefined;

/** Returns the share of everyday English texts that contain the stem, or 0 if it is not among the most common. */
export function shareOfTexts(stem: string): number {
  return shares().get(stem) ?? 0;
}

/** Returns whether a text is likely English: the list contains more than two of five of its stems. */
export function isEnglish(stems: readonly string[]): boolean {
  const known = stems.filter((stem) => shares().has(stem)).length;
  return known > 0.4 * stems.length;
}

function shares(): ReadonlyMap<string, number> {
  shareOfStem ??= new Map(Array.from(bitsOf(BACKGROUND_WORDS), ([stem, bits]) => [stem, exp2(-bits)]));
  return shareOfStem;
}

/** Returns the bits of each stem. A stem that is listed twice gets the smaller number. */
export function bitsOf(bands: typeof BACKGROUND_WORDS): Map<string, number> {
  const table = new Map<string, number>();
  for (const [bits, stems] of bands) {
    for (const each of stems.split(' ')) table.set(each, Math.min(bits, table.get(each) ?? bits));
  }
  return table;
}

/**
 * How common words are in the language, for pools that cannot tell: each text that was retrieved for a question has
 * the question's words, so they look worthless there.
 *
 * Source: the word list of `background-words.ts`, and K. Spärck Jones, 1972, cited there.
 */
import { BACKGROUND_WORDS } from './background-words.js';

/** What this module tells, for those who load it only when it is needed: the word list is a fifth of what a page loads. */
export type Background = Readonly<{
  shareOfTexts(stem: string): number;
  isEnglish(stems: readonly string[]): boolean;
}>;

let shareOfStem: Map<string, number> | undefined;

/** The share of everyday English texts that have the stem; 0 for one that is not among the commonest. */
export function shareOfTexts(stem: string): number {
  return shares().get(stem) ?? 0;
}

/** Has the list most words of everyday English that a text of that language has: at least two of five? */
export function isEnglish(stems: readonly string[]): boolean {
  const known = stems.filter((stem) => shares().has(stem)).length;
  return known > 0.4 * stems.length;
}

function shares(): ReadonlyMap<string, number> {
  shareOfStem ??= new Map(Array.from(bitsOf(BACKGROUND_WORDS), ([stem, bits]) => [stem, 2 ** -bits]));
  return shareOfStem;
}

/** By stem. Of one that is listed twice, the fewer bits. */
export function bitsOf(bands: typeof BACKGROUND_WORDS): Map<string, number> {
  const table = new Map<string, number>();
  for (const [bits, stems] of bands) {
    for (const each of stems.split(' ')) table.set(each, Math.min(bits, table.get(each) ?? bits));
  }
  return table;
}

import { Lexicon } from './lexicon.js';
import { searchStem } from './stem.js';

/**
 * Whether a text has a word of the question in any of its forms, function words aside. A question of function words alone
 * has no subject, so every text may concern it.
 */
export function concerns(text: string, question: string): boolean {
  const lexicon = new Lexicon();
  const stemsOf = (words: string) => lexicon.contentWords(words).map(searchStem);
  const asked = new Set(stemsOf(question));
  return asked.size === 0 || stemsOf(text).some((stem) => asked.has(stem));
}

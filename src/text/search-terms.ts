import { Lexicon } from './lexicon.js';

/**
 * The terms by which a search finds texts, and those of a question, without function words: stems, whole identifiers and
 * their parts, as numbers. Equal terms have equal numbers within one call.
 */
export function searchTermsOf(
  question: string,
  texts: readonly string[],
): { asked: ReadonlySet<number>; terms: readonly Int32Array[] } {
  const lexicon = new Lexicon();
  return {
    asked: new Set(lexicon.queryTerms(question)),
    terms: texts.map((text) => lexicon.searchTerms(text)),
  };
}

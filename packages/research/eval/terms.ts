/** The terms of the lexical baselines. Their function words are their own: what is compared with stands still. */
import { stem } from '../../../src/text/stem.js';
import { wordsOf } from '../../../src/text/words.js';

const FUNCTION_WORDS = new Set(
  (
    'a an the of to in on at by for from with about into over under and or but if as than then so ' +
    'is are was were be been being am do does did done has have had having can could will would shall should ' +
    'may might must how what when where which who whom whose why i me my we us our you your he him his she ' +
    'her it its they them their this that these those there here not no'
  ).split(' '),
);

/** Stemmed words. */
export function termsOf(text: string): string[] {
  return wordsOf(text).map(stem);
}

/** The same of a question without its function words, as search engines leave them out. */
export function questionTerms(question: string): string[] {
  return wordsOf(question)
    .filter((word) => !FUNCTION_WORDS.has(word))
    .map(stem);
}

import { lazily } from '../runtime/lazily.js';
import { stem } from './stem.js';

/**
 * English words that hold a sentence together and say nothing about its subject. In a question they outweigh the words
 * that matter: "How do I …" is common in questions, and rare in the passages that answer them.
 */
const FUNCTION_WORDS = new Set(
  (
    'a an the of to in on at by for from with about into over under and or but if as than then so ' +
    'is are was were be been being am do does did done has have had having can could will would shall should ' +
    'may might must how what when where which who whom whose why i me my we us our you your he him his she ' +
    "her it its they them their this that these those there here not no it's what's who's where's how's i'm don't"
  ).split(' '),
);

/** The stems of the function words, for texts that are analysed as stems. */
export const FUNCTION_STEMS: () => ReadonlySet<string> = lazily(() => new Set([...FUNCTION_WORDS].map(stem)));

/**
 * Returns the words that say what a question is about: all but function words, or `otherwise` if every word is a function
 * word. Default: all.
 */
export function contentWords(words: readonly string[], otherwise = words): readonly string[] {
  const content = words.filter((word) => !FUNCTION_WORDS.has(word));
  return content.length === 0 ? otherwise : content;
}

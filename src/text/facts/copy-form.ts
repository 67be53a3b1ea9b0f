/** The forms of texts by which copies are found. */
import { factsOf, keyOf } from './reader.js';
import { plainCharacters } from './spelling.js';
import { setOf } from './word-lists.js';

/** Bullets of lists, also where their line break is lost, and white space. */
const LAYOUT = /^[ \t]*[-*+•–][ \t]+|(?<=[.!?:;]["')\]]?) [*+] |\s+/gm;

/**
 * Returns one form of all texts with the same words, numbers, units and signs in the same order. A text without words is its
 * own form.
 */
export function exactForm(text: string): string {
  const plain = text.replace(LAYOUT, ' ').trim();
  const { items } = factsOf(plain);
  const keys = items.flatMap((item) => (item.key === ',' ? [] : keyOf(item)));
  return keys.length === 0 ? plain : keys.join(' ');
}

/**
 * Returns one form of all texts with the same facts, stems and signs in the same order. No list contains every pair of words
 * that must not replace each other ("aspirin" and "heparin"), every word that turns a statement round ("only", "nur",
 * "solo"), or every phrase that says something else in another place. So each word and its place count, in any language, but
 * for some that only join sentences.
 */
export const nearForm = (text: string): string =>
  factsOf(text)
    .items.flatMap((item) => (JOINING.has(keyOf(item)) ? [] : item.key))
    .join(' ');
const JOINING = setOf(', also indeed however moreover furthermore additionally');

/** A word; not the letter behind an apostrophe, in a check box or of a degree. */
const WORD = /(?<![\w'[°])[A-Za-z0-9_\u00c0-\u024f\u0370-\u052f]+/g;
const IDENTIFIER = /[a-z\u00df-\u00ff][A-Z\u00c0-\u00de]/;
const BITS = /^[KMGT]b(?:ps|its?)?$/;
const BYTES = /^[KMGT]B(?:ps|ytes?)?$/;
/** Letters that are also words of European languages. They have a capital at the start of a sentence and in titles. */
const LETTER_WORDS = setOf('a i o e y u w z à é è ó í á ě и в с к о у я а і й ж б η ο ή');

/** "U.S." is "US". */
const ACRONYM = /\b[A-Za-z](?:\.[A-Za-z]\b){1,8}\.?/g;
const SENTENCE = /(?:[^.!?]|[.!?](?!\s))+/g;

/**
 * Returns for each sentence the words whose letter case carries meaning, as written, in order: a single letter (the language
 * `C`, the variable `c`), an identifier (`userId`), and the smaller unit (`Mb`, not `MB`). Elsewhere case is a matter of
 * form. A sentence in capitals alone, or in small letters alone, has lost the difference: `undefined`.
 */
export const casedIn = (text: string): readonly (string | undefined)[] =>
  (plainCharacters(text).replace(ACRONYM, ' ').match(SENTENCE) ?? []).filter(hasCases).map((sentence) => {
    if (sentence === sentence.toUpperCase() || sentence === sentence.toLowerCase()) return undefined;
    const words = sentence.match(WORD) ?? [];
    // Beside bits, bytes count: "1 Mb is less than 1 MB".
    const hasBits = words.some((word) => BITS.test(word));
    const isCased = (word: string) =>
      word.length === 1
        ? /\D/.test(word) && !LETTER_WORDS.has(word.toLowerCase())
        : IDENTIFIER.test(word) || BITS.test(word) || (hasBits && BYTES.test(word));
    return words.filter(isCased).join(' ');
  });

const hasCases = (text: string): boolean => text.toUpperCase() !== text.toLowerCase();

/** Returns whether two texts with the same words have the same letter case, as far as {@link casedIn} tells. */
export function isSameCase(
  one: readonly (string | undefined)[],
  other: readonly (string | undefined)[],
): boolean {
  const all = (words: typeof one) => words.filter(Boolean).join(' ');
  if (one.length !== other.length) return all(one) === all(other);
  return one.every((words, at) => words === undefined || other[at] === undefined || words === other[at]);
}

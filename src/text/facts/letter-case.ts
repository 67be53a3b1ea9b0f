/**
 * Letter case that carries meaning: a single letter (the language `C`, the variable `c`), an identifier (`userId`), and the
 * smaller unit (`Mb`, not `MB`). Elsewhere case is a matter of form.
 *
 * A sentence in capitals has lost the difference, and so has a sentence in small letters beside one that begins with a
 * capital. Such sentences are compared without it.
 */
import { plainCharacters } from './spelling.js';
import { setOf } from './word-lists.js';

interface LetterCase {
  /** The words whose case counts, as written, in order. */
  readonly words: string;
  /** Whether other words begin with a capital. */
  readonly hasCapitals: boolean;
  readonly isUpper: boolean;
  readonly isLower: boolean;
}

const SENTENCE = /(?:[^.!?]|[.!?](?!\s))+/g;
const WORD = /[A-Za-z0-9_\u00c0-\u024f\u0370-\u052f]+/g;
const IDENTIFIER = /[a-z\u00df-\u00ff][A-Z\u00c0-\u00de]/;
const BITS_OR_BYTES = /^[KMGT]b(?:ps|its?)?$/i;
const BITS = /^[KMGT]b(?:ps|its?)?$/;
const isBytes = (word: string): boolean => BITS_OR_BYTES.test(word) && !BITS.test(word);
const CAPITAL = /^[A-Z\u00c0-\u00de\u0391-\u03ab\u0410-\u042f]/;
const LETTER = /^[A-Za-z\u00c0-\u024f\u0370-\u052f]$/;
/** Letters that are also words of European languages. They have a capital at the start of a sentence and in titles. */
const LETTER_WORDS = setOf('a i o e y u w z à é è ó í á ě и в с к о у я а і й ж б η ο ή');
/** Marks beside a letter that make it an operand, whichever letter it is. */
const OPERATOR = /[<>=+^]/;

/** Returns the letter case of each sentence of a text. */
export function letterCasesOf(text: string): readonly LetterCase[] {
  return Array.from(plainCharacters(text).matchAll(SENTENCE), ([sentence]) => letterCaseOf(sentence)).filter(
    ({ isUpper, isLower }) => !(isUpper && isLower),
  );
}

function letterCaseOf(sentence: string): LetterCase {
  const words: string[] = [];
  let hasCapitals = false;
  for (const { 0: word, index } of sentence.matchAll(WORD)) {
    const counts =
      word.length === 1 ? isSymbol(sentence, word, index) : IDENTIFIER.test(word) || BITS_OR_BYTES.test(word);
    if (counts) words.push(isBytes(word) ? word.toUpperCase() : word);
    else hasCapitals ||= CAPITAL.test(word);
  }
  return {
    // Beside bits, bytes count: "1 Mb is less than 1 MB".
    words: (words.some((word) => BITS.test(word)) ? words : words.filter((word) => !isBytes(word))).join(' '),
    hasCapitals,
    isUpper: sentence === sentence.toUpperCase(),
    isLower: sentence === sentence.toLowerCase(),
  };
}

/** Returns whether a single letter is a name or a variable. */
function isSymbol(sentence: string, letter: string, at: number): boolean {
  if (!LETTER.test(letter)) return false;
  const before = sentence
    .slice(Math.max(0, at - 8), at)
    .trimEnd()
    .slice(-2);
  const after = sentence.slice(at + 1, at + 4).trimStart();
  if (OPERATOR.test(before.slice(-1)) || OPERATOR.test(after.slice(0, 1))) return true;
  // The check mark of a task, "5 g", "250-M", "20 °C".
  if ((before.endsWith('[') && after.startsWith(']')) || /\d-?$|°$/.test(before)) return false;
  // U.S., D'Cunha, x-axis
  if (sentence.charAt(at - 1) === '.' || /^(?:['’]|[.-][A-Za-z])/.test(sentence.slice(at + 1, at + 3)))
    return false;
  if (LETTER_WORDS.has(letter.toLowerCase())) return false;
  // The first letter of a sentence or a quotation has a capital.
  return before !== '' && !/[:"'’“(*]$/.test(before);
}

/** Returns whether two texts that are equal but for letter case say the same. */
export function isSameCase(a: readonly LetterCase[], b: readonly LetterCase[]): boolean {
  if (a.length === b.length) return a.every((sentence, at) => isSame(sentence, b[at] as LetterCase));
  return isSame(together(a), together(b));
}

const isSame = (a: LetterCase, b: LetterCase): boolean =>
  a.words === b.words ||
  a.isUpper ||
  b.isUpper ||
  (a.isLower && b.hasCapitals) ||
  (b.isLower && a.hasCapitals);

const together = (sentences: readonly LetterCase[]): LetterCase => ({
  words: sentences
    .map(({ words }) => words)
    .filter((words) => words !== '')
    .join(' '),
  hasCapitals: sentences.some(({ hasCapitals }) => hasCapitals),
  isUpper: sentences.every(({ isUpper }) => isUpper),
  isLower: sentences.every(({ isLower }) => isLower),
});

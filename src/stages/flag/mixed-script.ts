/**
 * Detects words that mix look-alike letters of two scripts, such as a Cyrillic `а` among Latin letters. Readers see the same
 * word; search and de-duplication see another.
 */
import { lazyRegExp } from '../../runtime/lazily.js';
import { LOOK_ALIKES } from './disguise.js';

/** Letters that such words need. Most texts have none. */
const SUSPECT = /[\u0370-\u03ff\u0400-\u052f]/;
const WORD = lazyRegExp(String.raw`[\p{L}\p{M}]{2,}`, 'gu');
const LATIN = lazyRegExp(String.raw`\p{Script=Latin}`, 'gu');
/** Small Greek letters that look Latin within a word. At the ends of words science uses most of them (`TNFα`, `νmax`). */
const SMALL_GREEK = [...LOOK_ALIKES.keys()].filter((letter) => /[α-ω]/.test(letter)).join('');
const GREEK_WITHIN = new RegExp(`[a-z][${SMALL_GREEK}][a-z]`);
const OF_SCIENCE = SMALL_GREEK.replace('ο', '');
const OF_SCRIPTS = [/[\u0400-\u052f]/g, /[\u0370-\u03ff]/g];
const MOST_TOLD = 3;

/** The first such words, as written; undefined if there are none. */
export function mixedWords(text: string): readonly string[] | undefined {
  if (!SUSPECT.test(text)) return undefined;
  const found = new Set<string>();
  for (const [word] of text.matchAll(WORD())) {
    if (isMixed(word)) found.add(word);
    if (found.size === MOST_TOLD) break;
  }
  return found.size === 0 ? undefined : [...found];
}

/** Whether a word has letters of two scripts, and all that are not Latin look Latin. */
function isMixed(word: string): boolean {
  if (!SUSPECT.test(word)) return false;
  const latin = word.match(LATIN())?.length ?? 0;
  if (latin === 0) return false;
  if (GREEK_WITHIN.test(word)) return true;
  return OF_SCRIPTS.some((script) => {
    const others = word.match(script) ?? [];
    const areAlike = others.every((letter) => LOOK_ALIKES.has(letter) && !OF_SCIENCE.includes(letter));
    return areAlike && others.length > 0 && latin + others.length === word.length;
  });
}

/**
 * Detects words that mix look-alike letters of two scripts, such as a Cyrillic `а` among Latin letters. Readers see the same
 * word; search and de-duplication see another.
 *
 * Source: Unicode Technical Standard #39 (security mechanisms), which lists these letters as confusable. Only
 * letters that look like a letter of another script in common fonts are used; `μ`, `Ω` and other letters that science
 * writes among Latin ones are left out.
 */
import { lazyRegExp } from '../../runtime/lazily.js';
import { MAY_LOOK_LATIN, signsOf } from '../../text/signs.js';

/** Letters that such words need. */
const SUSPECT = /[\u0370-\u03ff\u0400-\u052f]/;
const WORD = lazyRegExp(String.raw`[\p{L}\p{M}]{2,}`, 'gu');
const LATIN = lazyRegExp(String.raw`\p{Script=Latin}`, 'gu');
/** Small Greek letters that look Latin within a word. At the ends of words science uses them (`TNFα`, `νmax`). */
const GREEK_WITHIN = /[a-z][αηικνορτυχ][a-z]/;
/** Letters that look like Latin ones. */
const LOOKALIKES = {
  cyrillic: /[аеорсухіјѕһԁԛԝӏАВЕЅІЈКМНОРСТХҮ]/g,
  greek: /[οΑΒΕΖΗΙΚΜΝΟΡΤΥΧ]/g,
};
const OF_SCRIPT = { cyrillic: /[\u0400-\u052f]/g, greek: /[\u0370-\u03ff]/g };
const MOST_TOLD = 3;

const count = (word: string, letters: RegExp) => word.match(letters)?.length ?? 0;

/** The first such words, as written; undefined if there are none. */
export function mixedWords(text: string): readonly string[] | undefined {
  if ((signsOf(text) & MAY_LOOK_LATIN) === 0) return undefined;
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
  const latin = count(word, LATIN());
  if (latin === 0) return false;
  if (GREEK_WITHIN.test(word)) return true;
  return (['cyrillic', 'greek'] as const).some((script) => {
    const others = count(word, OF_SCRIPT[script]);
    return others > 0 && latin + others === word.length && others === count(word, LOOKALIKES[script]);
  });
}

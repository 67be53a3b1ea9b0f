/**
 * Words that mix letters of two scripts which look alike, such as a Cyrillic `а` among Latin letters: readers see the
 * same word, searches and de-duplication another.
 *
 * Source: Unicode Technical Standard #39 (security mechanisms), whose confusables these letters are. Of them those that
 * look like a letter of another script in common fonts; `μ`, `Ω` and other letters that science writes among Latin ones
 * are left out.
 */
import { lazyRegExp } from '../../runtime/lazily.js';

/** What might be one: nearly all English text has none of these. */
const SUSPECT = /[\u0370-\u03ff\u0400-\u052f]/;
const WORD = lazyRegExp(String.raw`[\p{L}\p{M}]{2,}`, 'gu');
const LATIN = lazyRegExp(String.raw`\p{Script=Latin}`, 'gu');
/** Small Greek letters that pass for Latin ones within a word; science writes them at its ends (`TNFα`, `νmax`). */
const GREEK_WITHIN = /[a-z][αηικνορτυχ][a-z]/;
/** Letters that pass for Latin ones. */
const LOOKALIKES = {
  cyrillic: /[аеорсухіјѕһԁԛԝӏАВЕЅІЈКМНОРСТХҮ]/g,
  greek: /[οΑΒΕΖΗΙΚΜΝΟΡΤΥΧ]/g,
};
const OF_SCRIPT = { cyrillic: /[\u0400-\u052f]/g, greek: /[\u0370-\u03ff]/g };
const MOST_TOLD = 3;

const count = (word: string, letters: RegExp) => word.match(letters)?.length ?? 0;

/** The first such words, as they are written; nothing if there are none. */
export function mixedWords(text: string): readonly string[] | undefined {
  if (!SUSPECT.test(text)) return undefined;
  const found = new Set<string>();
  for (const [word] of text.matchAll(WORD())) {
    if (isMixed(word)) found.add(word);
    if (found.size === MOST_TOLD) break;
  }
  return found.size === 0 ? undefined : [...found];
}

/** Letters of two scripts, of which all that are not Latin pass for Latin ones, or the few Latin ones for others. */
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

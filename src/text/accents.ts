/** Removes accents, as many searches do. */
import { lazyRegExp } from '../runtime/lazily.js';
import { normalForm } from './characters.js';

/**
 * Marks that several scripts share, and the Arabic stroke that lengthens. Vowel signs of India belong to one script
 * each.
 */
const ACCENT = lazyRegExp(String.raw`[\p{sc=Inherited}\u0640]`, 'gu');
/** Letters that Unicode does not decompose into a letter and an accent. */
const ACCENTED = /[øłđħæœðþ]/g;
const UNACCENTED: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ħ: 'h',
  æ: 'ae',
  œ: 'oe',
  ð: 'd',
  þ: 'th',
};

/** Returns the word without accents, and without the Arabic stroke that lengthens. */
export function unaccented(word: string): string {
  return normalForm(word, 'NFD')
    .replace(ACCENT(), '')
    .replace(ACCENTED, (letter) => UNACCENTED[letter] as string)
    .normalize('NFC');
}

/** Folds the forms of characters. */
import { normalForm } from './characters.js';

/** A dot above an i, which lower-casing leaves of the Turkish İ. The letter says the same in "İlk" and "ilk". */
const DOTTED_I = 'i\u0307';
/**
 * The vowel AM of Thai and Lao in two parts, maybe with a tone mark between. Compatibility folding takes it apart, and
 * no dictionary of a segmenter has the parts: "จำนวน" would be cut into "จํา", "นว" and "น".
 */
const AM_IN_PARTS = /\u0e4d([\u0e48-\u0e4b]{0,2})\u0e32|\u0ecd([\u0ec8-\u0ecb]{0,2})\u0eb2/g;

/**
 * Folds case and compatibility forms. Punctuation and space stay unchanged. Lower-casing after upper-casing is the
 * closest that JavaScript has to full case folding: it maps ß, ẞ and SS to one form, and the four letters i of Turkish.
 */
export function fold(text: string): string {
  const cased = normalForm(text, 'NFKC').toUpperCase().toLowerCase().replaceAll('ς', 'σ');
  return normalForm(cased, 'NFKC')
    .replaceAll(DOTTED_I, 'i')
    .replace(AM_IN_PARTS, (_, thai?: string, lao?: string) =>
      thai === undefined ? `${lao}\u0eb3` : `${thai}\u0e33`,
    );
}

/**
 * Character n-grams of words. They match what the forms of a word share, the parts of a compound, and most
 * of a word with a typing error, in any language and without knowing which.
 *
 * - Alphabets: 4 characters, the ends of the word marked. Accents are left out, as many who search do.
 * - Hangul, whose characters are syllables: 2 characters, the ends of the word marked.
 * - Chinese, Japanese, Thai and others without spaces: 2 characters, and single Chinese ones.
 * - Numbers stay whole: 1932 is not nearly 1933.
 *
 * Sources: P. McNamee, J. Mayfield, "Character N-Gram Tokenization for European Language Text Retrieval",
 * 2004; J.-Y. Nie, J. Gao, J. Zhang, M. Zhou, "On the Use of Words and N-grams for Chinese Information
 * Retrieval", 2000.
 */
import { IS_SPACELESS } from './words.js';

/** Most words of most texts, known at a glance. */
const PLAIN = /^[a-z]+$/;
const NUMBER = /^[\p{N}_]+$/u;
const HANGUL = /\p{sc=Hangul}/u;
const HAN = /\p{sc=Han}/gu;
/** Marks that scripts share, and the Arabic stroke that lengthens. Vowel signs of India are of one script. */
const ACCENT = /[\p{sc=Inherited}\u0640]/gu;
/** Letters that are one with their accent. */
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

/**
 * @param run a folded word, or a stretch of a script without spaces; not empty.
 * @returns its n-grams in order, at least one; what is shorter than an n-gram is one by itself.
 */
export function gramsOf(run: string): string[] {
  if (PLAIN.test(run)) return grams(`^${run}$`, 4);
  if (IS_SPACELESS.test(run)) return run.length > 1 ? [...grams(run, 2), ...(run.match(HAN) ?? [])] : [run];
  return run.split("'").flatMap((part) => {
    if (NUMBER.test(part)) return [part];
    return grams(`^${unaccented(part)}$`, HANGUL.test(part) ? 2 : 4);
  });
}

/** By code units: one half of a pair of surrogates makes as good a key as both. */
function grams(text: string, length: number): string[] {
  const found = [text.slice(0, length)];
  for (let end = length + 1; end <= text.length; end++) found.push(text.slice(end - length, end));
  return found;
}

function unaccented(word: string): string {
  return word
    .normalize('NFD')
    .replace(ACCENT, '')
    .replace(ACCENTED, (letter) => UNACCENTED[letter] as string)
    .normalize('NFC');
}

/**
 * Character n-grams of words. They match the common part of the forms of a word, the parts of a compound, and most of a
 * word with a typing error, in any language and without knowledge of the language.
 *
 * - Alphabets: 4 characters, with marks at the ends of the word. Accents are removed, as in many searches.
 * - Hangul, whose characters are syllables: 2 characters, with marks at the ends of the word.
 * - Chinese and Japanese: 2 characters, and single Chinese characters.
 * - Thai, Lao, Khmer and Burmese, alphabets without spaces: 3 characters. In texts of five other alphabets whose spaces
 *   are removed, questions find their paragraph with 3 characters in .889, with 4 in .901, with 2 in .624. These scripts
 *   have about twice as many letters, so that 3 of them say as much as 4 of another.
 * - Numbers stay whole: 1932 is not nearly 1933.
 *
 * Sources: P. McNamee, J. Mayfield, "Character N-Gram Tokenization for European Language Text Retrieval",
 * 2004; J.-Y. Nie, J. Gao, J. Zhang, M. Zhou, "On the Use of Words and N-grams for Chinese Information
 * Retrieval", 2000.
 */

import { lazyRegExp } from '../runtime/lazily.js';
import { unaccented } from './accents.js';
import { onceByWord, type Vocabulary } from './vocabulary.js';
import { IS_SPACELESS } from './words.js';

/** Matches most words of most texts. */
const PLAIN = /^[a-z]+$/;
const NUMBER = lazyRegExp(String.raw`^[\p{N}_]+$`, 'u');
const HANGUL = lazyRegExp(String.raw`\p{sc=Hangul}`, 'u');
const ALPHABETIC = lazyRegExp(String.raw`[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]`, 'u');
const HAN = lazyRegExp(String.raw`\p{sc=Han}`, 'gu');
/**
 * Returns the n-grams of a run, in order, at least one. A run that is shorter than an n-gram is one n-gram.
 *
 * @param run a folded word, or a stretch of a script without spaces; not empty.
 */
export function gramsOf(run: string): string[] {
  if (PLAIN.test(run)) return grams(`^${run}$`, 4);
  if (IS_SPACELESS().test(run)) {
    if (ALPHABETIC().test(run)) return grams(run, 3);
    return run.length > 1 ? [...grams(run, 2), ...(run.match(HAN()) ?? [])] : [run];
  }
  return run.split("'").flatMap((part) => {
    if (NUMBER().test(part)) return [part];
    return grams(`^${unaccented(part)}$`, HANGUL().test(part) ? 2 : 4);
  });
}

/** A run, searched for some n-grams. */
export interface SearchedRun {
  /** The number of its n-grams, at least 1. */
  readonly size: number;
  /** Those that are searched for, by index, in the order of the run. */
  readonly places: readonly number[];
}

/** Returns a function that searches a run of a vocabulary for n-grams. It searches each run once. */
export function searching(grams: readonly string[], vocabulary: Vocabulary): (run: number) => SearchedRun {
  const placeOf = new Map(grams.map((gram, place) => [gram, place]));
  return onceByWord((run) => {
    const own = gramsOf(vocabulary.wordOf(run));
    const places: number[] = [];
    for (const gram of own) if (placeOf.has(gram)) places.push(placeOf.get(gram) as number);
    return { size: own.length, places };
  });
}

/** Cuts by code units: half of a surrogate pair is as good a key as both. */
function grams(text: string, length: number): string[] {
  const found = [text.slice(0, length)];
  for (let end = length + 1; end <= text.length; end++) found.push(text.slice(end - length, end));
  return found;
}

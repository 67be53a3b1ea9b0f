/**
 * Stems English words, with a cache. Only plain Latin words are stemmed: Snowball's English rules would damage words of
 * other languages with letters that the rules do not know.
 *
 * Source: M. F. Porter, "Snowball: A language for stemming algorithms", 2001.
 */
import { stemmer } from '@orama/stemmers/english';
import { ownText } from './recent.js';

/**
 * The number of distinct words of a large pool, and the greatest length of a cached word. A full cache is cleared. The
 * two figures bound its memory, to some 5 MB of ordinary words and 20 MB of the longest.
 */
const CACHE_SIZE = 50_000;
const LONGEST = 40;
const cache = new Map<string, string>();

/** Returns the stem of a folded word, or the word itself if it is not plain Latin. */
export function stem(word: string): string {
  if (word.length > LONGEST) return stemOf(word);
  let stemmed = cache.get(word);
  if (stemmed === undefined) {
    const copy = ownText(word);
    stemmed = stemOf(copy);
    if (cache.size >= CACHE_SIZE) cache.clear();
    cache.set(copy, stemmed);
  }
  return stemmed;
}

function stemOf(word: string): string {
  return /^[a-z]+(?:'[a-z]+)?$/.test(word) ? stemmer(word.replace(/'s$/, '')) : word;
}

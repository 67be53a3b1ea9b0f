/**
 * English stems, cached. Only plain Latin words are stemmed: Snowball's English rules would damage
 * words of other languages with letters they do not know.
 *
 * Source: M. F. Porter, "Snowball: A language for stemming algorithms", 2001.
 */
import { stemmer } from '@orama/stemmers/english';

/** Distinct words of a large pool; when full the cache starts anew, which bounds memory at a few MB. */
const CACHE_SIZE = 50_000;
const cache = new Map<string, string>();

export function stem(word: string): string {
  let stemmed = cache.get(word);
  if (stemmed === undefined) {
    stemmed = /^[a-z]+(?:'[a-z]+)?$/.test(word) ? stemmer(word.replace(/'s$/, '')) : word;
    if (cache.size >= CACHE_SIZE) cache.clear();
    cache.set(word, stemmed);
  }
  return stemmed;
}

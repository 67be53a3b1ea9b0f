/** The kind of a word if statements are searched: it is nothing, a value, one end of a scale, or itself. */

import { lazily } from '../../runtime/lazily.js';
import { FUNCTION_STEMS } from '../function-words.js';
import { stem } from '../stem.js';
import { DATE_WORDS } from './dates.js';
import { NEGATIONS } from './negations.js';
import { NUMBER_WORDS, PART_WORDS } from './number-words.js';
import { isConnective, placesOf } from './opposites.js';
import { isGlue } from './statement-words.js';

export type WordKind = 'glue' | 'value' | { scale: string } | undefined;

const VALUES = lazily(() => new Set([...DATE_WORDS, ...NUMBER_WORDS, ...PART_WORDS]));

export function kindOfWord(word: string): WordKind {
  if (/^\p{N}/u.test(word) || VALUES().has(word)) return 'value';
  // "Isn't" is "is not".
  if (NEGATIONS.has(word) || word.includes("'") || word === 'cannot' || isConnective(word)) return 'glue';
  const own = stem(word);
  if (isGlue(own) || FUNCTION_STEMS().has(own)) return 'glue';
  const [place] = placesOf(word);
  return place;
}

/** The kind of a word if statements are searched: it is nothing, a value, one end of a scale, or itself. */

import { lazily } from '../../runtime/lazily.js';
import { FUNCTION_STEMS } from '../function-words.js';
import { onceByWord, type Vocabulary } from '../vocabulary.js';
import { DATE_WORDS } from './dates.js';
import { NEGATIONS } from './negations.js';
import { NUMBER_WORDS, PART_WORDS } from './number-words.js';
import { isConnective, placesOf } from './opposites.js';
import { isGlue } from './statement-words.js';

export type WordKind = 'glue' | 'value' | 'word' | { scale: string };

const VALUES = lazily(() => new Set([...DATE_WORDS, ...NUMBER_WORDS, ...PART_WORDS]));

/** The kinds of the words of a vocabulary. */
export const wordKinds = (vocabulary: Vocabulary): ((id: number) => WordKind) =>
  onceByWord((id) => kindOf(vocabulary.wordOf(id), vocabulary.wordOf(vocabulary.stemOf(id))));

function kindOf(word: string, stem: string): WordKind {
  if (/^\p{N}/u.test(word) || VALUES().has(word)) return 'value';
  // "Isn't" is "is not".
  if (NEGATIONS.has(word) || word.includes("'") || word === 'cannot' || isConnective(word)) return 'glue';
  if (isGlue(stem) || FUNCTION_STEMS().has(stem)) return 'glue';
  const [place] = placesOf(word);
  return place ?? 'word';
}

/** The kind of a word if statements are searched: it is nothing, a value, one end of a scale, or itself. */

import { lazily } from '../../runtime/lazily.js';
import { FUNCTION_STEMS } from '../function-words.js';
import type { Vocabulary } from '../vocabulary.js';
import { DATE_WORDS } from './dates.js';
import { NEGATIONS } from './negations.js';
import { NUMBER_WORDS, PART_WORDS } from './number-words.js';
import { isConnective, placesOf } from './opposites.js';
import { isGlue } from './statement-words.js';

export type WordKind = 'glue' | 'value' | { scale: string } | undefined;

const VALUES = lazily(() => new Set([...DATE_WORDS, ...NUMBER_WORDS, ...PART_WORDS]));

/** The kinds of the words of a vocabulary. Each is found once, when it is asked for. */
export class WordKinds {
  /** By number of a word; null if nothing has asked for it. */
  readonly #kinds: (WordKind | null)[] = [];

  constructor(readonly vocabulary: Vocabulary) {}

  of(id: number): WordKind {
    const known = this.#kinds[id];
    if (known !== null && id < this.#kinds.length) return known;
    // An array with large holes would become slow.
    while (this.#kinds.length <= id) this.#kinds.push(null);
    const { vocabulary } = this;
    const kind = kindOf(vocabulary.wordOf(id), vocabulary.wordOf(vocabulary.stemOf(id)));
    this.#kinds[id] = kind;
    return kind;
  }
}

function kindOf(word: string, stem: string): WordKind {
  if (/^\p{N}/u.test(word) || VALUES().has(word)) return 'value';
  // "Isn't" is "is not".
  if (NEGATIONS.has(word) || word.includes("'") || word === 'cannot' || isConnective(word)) return 'glue';
  if (isGlue(stem) || FUNCTION_STEMS().has(stem)) return 'glue';
  const [place] = placesOf(word);
  return place;
}

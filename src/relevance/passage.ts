import { groupBy } from '../runtime/group-by.js';
import type { Lexicon } from '../text/lexicon.js';
import { wordsOf } from '../text/words.js';
import { type Form, formOf } from './question-form.js';

const NONE = new Int32Array(0);

/** What relevance is measured on: a chunk of the pool, or a sentence of a chunk. Terms are numbers of one vocabulary. */
export interface Passage {
  readonly text: string;
  /** Search terms, in order; those of the title among them. */
  readonly terms: Int32Array;
  /** How many terms the text has, if `terms` are not all. */
  readonly length?: number;
  /** Folded words of the text, and stretches of scripts without spaces; found in `text` if they are not here. */
  readonly runs?: Int32Array;
  /** The title of metadata, as it is written. */
  readonly heading?: string | undefined;
  /** Is its source the most trusted of several tiers? */
  readonly isTrusted?: boolean;
  /** Search terms of the title; empty without one. */
  readonly title: Int32Array;
  /** Who says it, in lower case, if it is a turn of a talk: writers of documents are no speakers. */
  readonly speaker?: string | undefined;
  /** The text that it is a part of. */
  readonly source?: string | undefined;
  /** Its place there: passages of one source at places next to each other are neighbours. */
  readonly position?: number | undefined;
  /** When it was said or written, as metadata has it. */
  readonly date?: string | undefined;
  /** Nothing flows between passages of two. */
  readonly namespace?: string | undefined;
}

/** What a question asks for. */
export interface Question {
  readonly text: string;
  /** Every word, folded. */
  readonly words: readonly string[];
  /** Stems of all words, in order. */
  readonly sequence: Int32Array;
  readonly form: Form;
  /** Where in `sequence` each stem stands. */
  readonly places: ReadonlyMap<number, readonly number[]>;
  /** The search terms that say what it is about, each once. */
  readonly terms: Int32Array;
}

export function questionOf(text: string, lexicon: Lexicon): Question {
  const words = wordsOf(text);
  const sequence = lexicon.terms(text);
  return {
    text,
    words,
    sequence,
    places: groupBy(sequence.keys(), (place) => sequence[place] as number),
    form: formOf(text, words),
    terms: Int32Array.from(new Set(lexicon.queryTerms(text))),
  };
}

/** Titles say in brackets what kind of thing it is: nobody names that who names the thing. */
export function titleTerms(title: string | undefined, lexicon: Lexicon): Int32Array {
  if (title === undefined) return NONE;
  const bare = title.replace(/\([^()]*\)\s*$/, '');
  return lexicon.searchTerms(lexicon.words(bare).length > 0 ? bare : title);
}

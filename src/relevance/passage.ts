import { groupBy } from '../runtime/group-by.js';
import type { Lexicon } from '../text/lexicon.js';
import { wordsOf } from '../text/words.js';
import type { Carried } from './history.js';
import { type Form, formOf } from './question-form.js';

const NONE = new Int32Array(0);

/**
 * A text whose relevance is measured: a chunk of the pool, or a unit of a chunk such as a sentence. Terms are numbers of
 * one vocabulary.
 */
export interface Passage {
  readonly text: string;
  /** Search terms, in order, with those of the title. */
  readonly terms: Int32Array;
  /** Length of the text for BM25, if it is not the number of `terms`. */
  readonly length?: number;
  /** Folded words of the text, and runs of scripts without spaces. If absent, they are computed from `text`. */
  readonly runs?: Int32Array;
  /** The title from metadata, unchanged. */
  readonly heading?: string | undefined;
  /** Whether its source is in the most trusted tier. */
  readonly isTrusted?: boolean;
  /** Search terms of the title. Empty without a title. */
  readonly title: Int32Array;
  /** The speaker, in lower case, if the passage is a turn of a talk or chat. Authors of documents are no speakers. */
  readonly speaker?: string | undefined;
  /** The document or chunk that contains it. */
  readonly source?: string | undefined;
  /** Its position there. Passages of one source at consecutive positions are neighbours. */
  readonly position?: number | undefined;
  /** The date of the passage, as metadata has it. */
  readonly date?: string | undefined;
  /** Relevance never flows from one namespace to another. */
  readonly namespace?: string | undefined;
}

/** A question, analysed for matching. */
export interface Question {
  readonly text: string;
  /** Every word, folded. */
  readonly words: readonly string[];
  /** Stems of all words, in order. */
  readonly sequence: Int32Array;
  readonly form: Form;
  /** Indices of each stem in `sequence`. */
  readonly places: ReadonlyMap<number, readonly number[]>;
  /** The distinct search terms that name its subject. */
  readonly terms: Int32Array;
  /** Words of the conversation before it. Only measures of matching use them. */
  readonly carried?: Carried | undefined;
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

/**
 * Returns the search terms of a title, without a final part in brackets. Titles state the kind of their subject there, as
 * in "Mercury (planet)", and texts that name the subject do not repeat it.
 */
export function titleTerms(title: string | undefined, lexicon: Lexicon): Int32Array {
  if (title === undefined) return NONE;
  const bare = title.replace(/\([^()]*\)\s*$/, '');
  return lexicon.searchTerms(lexicon.words(bare).length > 0 ? bare : title);
}

/** Returns the terms of all arrays, one after the other. */
export function joined(all: readonly Int32Array[]): Int32Array {
  const terms = new Int32Array(all.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const each of all) {
    terms.set(each, end);
    end += each.length;
  }
  return terms;
}

/** Returns the terms of a text, after those of its title unless the text begins with the title itself. */
export function titledTerms(
  { text, heading = '', title }: Pick<Passage, 'text' | 'heading' | 'title'>,
  lexicon: Lexicon,
): Int32Array {
  const own = lexicon.searchTerms(text);
  return title.length === 0 || text.trimStart().startsWith(heading) ? own : joined([title, own]);
}

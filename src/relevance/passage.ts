import { contentWords } from '../text/function-words.js';
import type { Lexicon } from '../text/lexicon.js';
import { stem } from '../text/stem.js';

/** What relevance is measured on: a chunk of the pool, or a sentence of a chunk. */
export interface Passage {
  readonly text: string;
  /** Search terms, in order; those of the title among them. */
  readonly terms: readonly string[];
  /** How many terms the text has, if `terms` are not all. */
  readonly length?: number;
  /** Search terms of the title; empty without one. */
  readonly title: readonly string[];
  /** Who says it, in lower case, if it is a turn of a talk: writers of documents are no speakers. */
  readonly speaker?: string | undefined;
  /** The text that it is a part of. */
  readonly source?: string | undefined;
  /** Its place there: passages of one source at places next to each other are neighbours. */
  readonly position?: number | undefined;
  /** Nothing flows between passages of two. */
  readonly namespace?: string | undefined;
}

/** What a question asks for. */
export interface Question {
  readonly text: string;
  /** Every word, folded. */
  readonly words: readonly string[];
  /** Stems of all words, in order. */
  readonly sequence: readonly string[];
  /** The search terms that say what it is about, each once. */
  readonly terms: readonly string[];
}

export function questionOf(text: string, lexicon: Lexicon): Question {
  const words = lexicon.words(text);
  return {
    text,
    words,
    sequence: words.map(stem),
    terms: [...new Set(lexicon.queryTerms(text))],
  };
}

/** Titles say in brackets what kind of thing it is: nobody names that who names the thing. */
export function titleTerms(title: string | undefined, lexicon: Lexicon): readonly string[] {
  if (title === undefined) return [];
  const bare = title.replace(/\([^()]*\)\s*$/, '');
  return lexicon.searchTerms(contentWords(lexicon.words(bare)).length > 0 ? bare : title);
}

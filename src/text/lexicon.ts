import { entropyOfNumbers } from '../math/entropy.js';
import { compoundsOf } from './compounds.js';
import type { Facts } from './facts/facts.js';
import { contentWords } from './function-words.js';
import { Reading } from './reading.js';
import { stem } from './stem.js';
import { Vocabulary } from './vocabulary.js';
import { wordsOf } from './words.js';

/** Readings of texts, each made once however many stages ask. Lives as long as one call. */
export class Lexicon {
  /** What the numbers of words and terms mean. */
  readonly vocabulary = Vocabulary.shared();
  readonly #readings = new Map<string, Reading>();
  /** By word, all zero between calls. */
  #counts = new Uint32Array(0);

  /** Makes the analyses that a search needs, so that one who is in no hurry can pause between texts. */
  read(text: string): void {
    this.searchTerms(text);
  }

  /** Folded words, and stretches of scripts without spaces, in order. */
  runs(text: string): Int32Array {
    return this.#reading(text).runs;
  }

  /** Folded words, in order. */
  words(text: string): Int32Array {
    return this.#reading(text).words;
  }

  /** Bits per word, by their frequencies in the text. */
  wordEntropy(text: string): number {
    const words = this.words(text);
    if (this.#counts.length < this.vocabulary.size) this.#counts = new Uint32Array(2 * this.vocabulary.size);
    return entropyOfNumbers(words, this.#counts);
  }

  /** Stems of the words, in order. */
  terms(text: string): Int32Array {
    return this.#reading(text).terms;
  }

  /** What a search should find the text by: its terms, then the wholes and parts of its identifiers. */
  searchTerms(text: string): Int32Array {
    return this.#reading(text).searchTerms;
  }

  /** The search terms of `text.slice(start, end)`, without reading it anew where the words' places are known. */
  searchTermsWithin(text: string, start: number, end: number): Int32Array {
    return (
      this.#reading(text).searchTermsWithin(start, end) ?? this.#reading(text.slice(start, end)).searchTerms
    );
  }

  /** The runs of `text.slice(start, end)`, likewise. */
  runsWithin(text: string, start: number, end: number): Int32Array {
    return this.#reading(text).runsWithin(start, end) ?? this.#reading(text.slice(start, end)).runs;
  }

  /** The search terms of a question, without its function words. */
  queryTerms(text: string): Int32Array {
    const words = contentWords([...wordsOf(text), ...compoundsOf(text)]);
    return this.vocabulary.idsOf(words.map(stem));
  }

  facts(text: string): Facts {
    return this.#reading(text).facts;
  }

  #reading(text: string): Reading {
    let known = this.#readings.get(text);
    if (known === undefined) {
      known = new Reading(text, this.vocabulary);
      this.#readings.set(text, known);
    }
    return known;
  }
}

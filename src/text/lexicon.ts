import { compoundsOf } from './compounds.js';
import { contentWords } from './function-words.js';
import { Reading } from './reading.js';
import { ownText, Recent } from './recent.js';
import { stem } from './stem.js';
import { Vocabulary } from './vocabulary.js';
import { wordsOf } from './words.js';

/** At most twice so many characters of texts are remembered, with their readings: 20 MB, with the facts of all 100. */
const MOST_CHARACTERS = 2 ** 20;

/** Readings that calls share. They are in numbers of one vocabulary, and go when that goes. */
let recent: { vocabulary: Vocabulary; readings: Recent<Reading> } | undefined;

/** Readings of texts, each made once however many stages ask. Lives as long as one call, and remembers earlier ones. */
export class Lexicon {
  /** What the numbers of words and terms mean. */
  readonly vocabulary = Vocabulary.shared();
  readonly #readings = new Map<string, Reading>();
  readonly #recent: Recent<Reading>;

  constructor() {
    if (recent?.vocabulary !== this.vocabulary) {
      recent = { vocabulary: this.vocabulary, readings: new Recent(MOST_CHARACTERS) };
    }
    this.#recent = recent.readings;
  }

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

  /** What a function finds in the text, which must not be changed. It is called once a text. */
  found<T>(text: string, find: (text: string, lexicon: Lexicon) => T): T {
    const { found, text: own } = this.#reading(text);
    if (!found.has(find)) found.set(find, find(own, this));
    return found.get(find) as T;
  }

  #reading(text: string): Reading {
    let reading = this.#readings.get(text);
    if (reading === undefined) {
      reading = this.#recent.get(text);
      if (reading === undefined) {
        reading = new Reading(ownText(text), this.vocabulary);
        this.#recent.set(reading.text, reading);
      }
      this.#readings.set(text, reading);
    }
    return reading;
  }
}

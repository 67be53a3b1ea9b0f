import { compoundsOf } from './compounds.js';
import { contentWords } from './function-words.js';
import { Reading } from './reading.js';
import { ownText, Recent } from './recent.js';
import { searchStem } from './stem.js';
import { Vocabulary } from './vocabulary.js';
import { wordsOf } from './words.js';

/**
 * At most twice this many characters of texts are kept, with their readings: 20 MB, or 100 MB with the facts of all
 * texts.
 */
const MOST_CHARACTERS = 2 ** 20;

/** Readings that calls share. Their numbers belong to one vocabulary, and a new vocabulary replaces them. */
let recent: { vocabulary: Vocabulary; readings: Recent<Reading> } | undefined;

/**
 * Readings of texts. Each text is read once for all stages. A lexicon lives as long as one call and reuses readings of
 * earlier calls.
 */
export class Lexicon {
  /** Assigns the numbers of words and terms. */
  readonly vocabulary = Vocabulary.shared();
  readonly #readings = new Map<string, Reading>();
  readonly #recent: Recent<Reading>;
  readonly #ofCall = new Map<unknown, unknown>();
  #lastText?: string;
  #last?: Reading;

  constructor() {
    if (recent?.vocabulary !== this.vocabulary) {
      recent = { vocabulary: this.vocabulary, readings: new Recent(MOST_CHARACTERS) };
    }
    this.#recent = recent.readings;
  }

  /** Returns folded words, and stretches of scripts without spaces, in order. */
  runs(text: string): Int32Array {
    return this.#reading(text).runs;
  }

  /** Returns folded words, in order. */
  words(text: string): Int32Array {
    return this.#reading(text).words;
  }

  /** Returns the offset of each word, if it is known. */
  starts(text: string): ArrayLike<number> | undefined {
    const { starts, words } = this.#reading(text);
    return starts?.length === words.length ? starts : undefined;
  }

  /** Returns the stems of the words, in order. */
  terms(text: string): Int32Array {
    return this.#reading(text).terms;
  }

  /** Returns the terms by which a search finds the text: its stems, then the wholes and parts of its identifiers. */
  searchTerms(text: string): Int32Array {
    return this.#reading(text).searchTerms;
  }

  /**
   * Returns the search terms of `text.slice(start, end)`, in parts. It reads the slice only if the offsets of the words are
   * not known.
   */
  searchTermsWithin(text: string, start: number, end: number): readonly Int32Array[] {
    return (
      this.#reading(text).searchTermsWithin(start, end) ?? [this.#reading(text.slice(start, end)).searchTerms]
    );
  }

  /** Returns the runs of `text.slice(start, end)`. It reads the slice only if the offsets of the runs are not known. */
  runsWithin(text: string, start: number, end: number): Int32Array {
    return this.#reading(text).runsWithin(start, end) ?? this.#reading(text.slice(start, end)).runs;
  }

  /** Returns the search terms of a question, without function words. */
  queryTerms(text: string): Int32Array {
    const words = contentWords([...wordsOf(text), ...compoundsOf(text)]);
    return this.vocabulary.idsOf(words.map(searchStem));
  }

  /** Returns the words of a text, and the wholes and parts of its identifiers, without function words. */
  contentWords(text: string): readonly string[] {
    return contentWords([...wordsOf(text), ...compoundsOf(text)], []);
  }

  /** Returns the result of `find` for the text. `find` runs once per text. Callers must not mutate the result. */
  found<T>(text: string, find: (text: string, lexicon: Lexicon) => T): T {
    const { found, text: own } = this.#reading(text);
    if (!found.has(find)) found.set(find, find(own, this));
    return found.get(find) as T;
  }

  /** Returns what `make` makes. `make` runs once per call. */
  ofCall<T>(make: (lexicon: Lexicon) => T): T {
    if (!this.#ofCall.has(make)) this.#ofCall.set(make, make(this));
    return this.#ofCall.get(make) as T;
  }

  #reading(text: string): Reading {
    // Callers ask for one text many times in a row.
    if (text === this.#lastText) return this.#last as Reading;
    let reading = this.#readings.get(text);
    if (reading === undefined) {
      reading = this.#recent.get(text);
      if (reading === undefined) {
        reading = new Reading(ownText(text), this.vocabulary);
        this.#recent.set(reading.text, reading);
      }
      this.#readings.set(text, reading);
    }
    this.#lastText = text;
    this.#last = reading;
    return reading;
  }
}

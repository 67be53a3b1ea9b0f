import { compoundsOf, locatedCompounds } from './compounds.js';
import { type Facts, factsOf } from './facts/facts.js';
import { contentWords } from './function-words.js';
import { stem } from './stem.js';
import { locatedRuns, wordsIn } from './words.js';

/** Analyses of texts, each made once however many stages ask. Lives as long as one call. */
export class Lexicon {
  readonly #runs = new Map<string, ReturnType<typeof locatedRuns>>();
  readonly #compounds = new Map<string, ReturnType<typeof locatedCompounds>>();
  readonly #words = new Map<string, readonly string[]>();
  readonly #terms = new Map<string, readonly string[]>();
  readonly #searchTerms = new Map<string, readonly string[]>();
  readonly #facts = new Map<string, Facts>();

  /** Makes the analyses that a search needs, so that one who is in no hurry can pause between texts. */
  read(text: string): void {
    this.searchTerms(text);
  }

  /** Folded words, and stretches of scripts without spaces, in order. */
  runs(text: string): readonly string[] {
    return this.#located(text).runs;
  }

  /** Folded words, in order. */
  words(text: string): readonly string[] {
    return remember(this.#words, text, () => wordsIn(this.runs(text)));
  }

  /** Stems of the words, in order. */
  terms(text: string): readonly string[] {
    return remember(this.#terms, text, () => this.words(text).map(stem));
  }

  /** What a search should find the text by: its terms, then the wholes and parts of its identifiers. */
  searchTerms(text: string): readonly string[] {
    return remember(this.#searchTerms, text, () => {
      const compounds = this.#compoundsOf(text).flatMap((each) => each.compounds);
      return compounds.length === 0 ? this.terms(text) : [...this.terms(text), ...compounds.map(stem)];
    });
  }

  /** The search terms of `text.slice(start, end)`, without reading it anew where the words' places are known. */
  searchTermsWithin(text: string, start: number, end: number): readonly string[] {
    const { starts } = this.#located(text);
    const terms = this.terms(text);
    if (terms.length !== starts?.length) return this.searchTerms(text.slice(start, end));
    const within = terms.slice(firstFrom(starts, start, itself), firstFrom(starts, end, itself));
    const compounds = this.#compoundsOf(text);
    for (let place = firstFrom(compounds, start, ({ start }) => start); ; place++) {
      const each = compounds[place];
      if (each === undefined || each.start >= end) return within;
      within.push(...each.compounds.map(stem));
    }
  }

  #located(text: string) {
    return remember(this.#runs, text, () => locatedRuns(text));
  }

  #compoundsOf(text: string) {
    return remember(this.#compounds, text, () => locatedCompounds(text));
  }

  /** The search terms of a question, without its function words. */
  queryTerms(text: string): readonly string[] {
    return contentWords([...this.words(text), ...compoundsOf(text)]).map(stem);
  }

  facts(text: string): Facts {
    return remember(this.#facts, text, () => factsOf(text));
  }
}

function remember<T>(memory: Map<string, T>, text: string, make: () => T): T {
  let known = memory.get(text);
  if (known === undefined) {
    known = make();
    memory.set(text, known);
  }
  return known;
}

/** Place of the first whose value is at least `value`; values ascend. */
function firstFrom<T>(ascending: readonly T[], value: number, placeOf: (each: T) => number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (placeOf(ascending[middle] as T) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

const itself = (value: number) => value;

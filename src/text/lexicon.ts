import { type Facts, factsOf } from './facts/facts.js';
import { stem } from './stem.js';
import { wordsOf } from './words.js';

/** Analyses of texts, each made once however many stages ask. Lives as long as one call. */
export class Lexicon {
  readonly #words = new Map<string, readonly string[]>();
  readonly #terms = new Map<string, readonly string[]>();
  readonly #facts = new Map<string, Facts>();

  /** Folded words, in order. */
  words(text: string): readonly string[] {
    return remember(this.#words, text, () => wordsOf(text));
  }

  /** Stems of the words, in order. */
  terms(text: string): readonly string[] {
    return remember(this.#terms, text, () => this.words(text).map(stem));
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

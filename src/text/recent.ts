/** Of longer texts a few would be all. */
const LONGEST_TEXT = 2 ** 14;

/**
 * What was found out about texts lately: what is retrieved once is retrieved again. Texts that were not asked for while
 * so many characters came in are forgotten; at most twice as many are kept.
 */
export class Recent<T> {
  #young = new Map<string, Known<T>>();
  #old = new Map<string, Known<T>>();
  #characters = 0;

  constructor(readonly mostCharacters: number) {}

  get(text: string): T | undefined {
    let known = this.#young.get(text);
    if (known === undefined) {
      known = this.#old.get(text);
      if (known !== undefined) this.#put(known);
    }
    return known?.value;
  }

  /** Keeps it, unless the text is long. @param text no view of a longer one, which would stay with it: `ownText`. */
  set(text: string, value: T): void {
    if (text.length <= LONGEST_TEXT) this.#put({ text, value });
  }

  #put(known: Known<T>): void {
    const { length } = known.text;
    this.#characters += length;
    if (this.#characters > this.mostCharacters) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#characters = length;
    }
    this.#young.set(known.text, known);
  }
}

interface Known<T> {
  readonly text: string;
  readonly value: T;
}

/** A copy of the characters. A text can be a view of a longer one, as what `match` gives, and keeps all of that alive. */
export const ownText = (text: string): string => JSON.parse(JSON.stringify(text)) as string;

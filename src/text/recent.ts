/** Longer texts are not kept, because a few of them would fill the cache. */
const LONGEST_TEXT = 2 ** 14;

/**
 * A cache of results for recent texts, because texts are often retrieved again. It forgets a text that was not
 * requested while `mostCharacters` characters were added. It keeps at most twice as many characters.
 */
export class Recent<T> {
  #young = new Map<string, Known<T>>();
  #old = new Map<string, Known<T>>();
  #characters = 0;

  constructor(readonly mostCharacters: number) {}

  /** Returns the value of a text, or undefined if it was not kept. A request counts as recent use. */
  get(text: string): T | undefined {
    let known = this.#young.get(text);
    if (known === undefined) {
      known = this.#old.get(text);
      if (known !== undefined) this.#put(known);
    }
    return known?.value;
  }

  /**
   * Keeps the value, unless the text is long.
   *
   * @param text a text that is not a view of a longer one, because the longer one would stay in memory with it. Use `ownText`.
   */
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

/**
 * Returns a copy of the characters. A text can be a view of a longer one, as the results of `match` are, and then keeps
 * the whole longer text in memory. A view of the text behind one character keeps only that.
 */
export const ownText = (text: string): string => ` ${text}`.slice(1);

/** Finds what stands in brackets or in inline code. No sentence ends there. */

/** In characters. Brackets that are farther apart hold no part of a sentence. */
const LONGEST = 400;
/** Any bracket but that of a sad face. A back quote after a word opens nothing. */
const SIGN = /(?<![:;]-?)\(|[[{)\]}]|`/g;
const OPENING = '([{`';
const CLOSING = ')]}`';

interface Pair {
  readonly start: number;
  /** Offset behind the closing bracket. */
  readonly end: number;
}

/** Tells of ascending offsets of a text whether they are in brackets. It reads no more of the text than it must. */
export class Brackets {
  /** By kind: the offsets of the brackets that are open, the innermost last. */
  readonly #open: number[][] = [[], [], [], []];
  /** In the order of their closing brackets. */
  readonly #pairs: Pair[] = [];
  #read = 0;

  constructor(readonly text: string) {}

  /** Whether a pair of brackets begins before the offset and ends after it. A bracket without its other half is none. */
  surround(at: number): boolean {
    while (this.#read < Math.min(at + LONGEST, this.text.length)) this.#readSign();
    for (let place = this.#pairs.length - 1; place >= 0; place--) {
      const { start, end } = this.#pairs[place] as Pair;
      if (end <= at) return false;
      if (start < at) return true;
    }
    return false;
  }

  #readSign(): void {
    SIGN.lastIndex = this.#read;
    const found = SIGN.exec(this.text);
    this.#read = found === null ? this.text.length : SIGN.lastIndex;
    if (found === null) return;
    const { 0: sign, index } = found;
    const kind = Math.max(OPENING.indexOf(sign), CLOSING.indexOf(sign));
    const open = this.#open[kind] as number[];
    const start = CLOSING.includes(sign) ? open.pop() : undefined;
    if (start !== undefined) {
      if (index - start <= LONGEST) this.#pairs.push({ start, end: index + 1 });
    } else if (OPENING.includes(sign) && (sign !== '`' || !/\w/.test(this.text[index - 1] ?? '')))
      open.push(index);
  }
}

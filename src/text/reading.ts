import { locatedCompounds } from './compounds.js';
import { plainRuns } from './plain-runs.js';
import { stem } from './stem.js';
import type { Vocabulary } from './vocabulary.js';
import { locatedRuns, wordsIn } from './words.js';

/** The analyses of one text, computed on demand. Words are numbers of a vocabulary. */
export class Reading {
  /** Folded words, and stretches of scripts without spaces, in order. */
  readonly runs: Int32Array;
  /** Folded words, in order. */
  readonly words: Int32Array;
  /** The offset at which each run begins, if it is known. */
  readonly starts?: ArrayLike<number> | undefined;
  #found?: Map<unknown, unknown>;
  #terms?: Int32Array;
  #searchTerms?: Int32Array;
  #compounds?: readonly { start: number; terms: Int32Array }[];

  constructor(
    readonly text: string,
    readonly vocabulary: Vocabulary,
  ) {
    const plain = plainRuns(text, vocabulary);
    if (plain !== undefined) {
      this.runs = plain.runs;
      this.words = plain.runs;
      this.starts = plain.starts;
    } else {
      const { runs, starts } = locatedRuns(text);
      const words = wordsIn(runs);
      this.runs = vocabulary.idsOf(runs);
      this.words = words === runs ? this.runs : vocabulary.idsOf(words);
      this.starts = starts;
    }
  }

  /** Stems of the words, in order. */
  get terms(): Int32Array {
    this.#terms ??= this.vocabulary.stemsOf(this.words);
    return this.#terms;
  }

  /** The stems, then the wholes and parts of identifiers. */
  get searchTerms(): Int32Array {
    this.#searchTerms ??= joined([this.terms, ...this.compounds.map(({ terms }) => terms)]);
    return this.#searchTerms;
  }

  /** Results of functions on the text, by function. */
  get found(): Map<unknown, unknown> {
    this.#found ??= new Map();
    return this.#found;
  }

  /** Stems of the wholes and parts of identifiers, with the offset of each token. */
  get compounds(): readonly { start: number; terms: Int32Array }[] {
    this.#compounds ??= locatedCompounds(this.text).map(({ start, compounds }) => ({
      start,
      terms: this.vocabulary.idsOf(compounds.map(stem)),
    }));
    return this.#compounds;
  }

  /** Returns the search terms of `text.slice(start, end)`, or undefined if the slice must be read by itself. */
  searchTermsWithin(start: number, end: number): Int32Array | undefined {
    const { terms, starts, compounds } = this;
    if (terms.length !== starts?.length) return undefined;
    const parts = [terms.subarray(firstFrom(starts, start, itself), firstFrom(starts, end, itself))];
    for (let place = firstFrom(compounds, start, startOf); ; place++) {
      const each = compounds[place];
      if (each === undefined || each.start >= end) return joined(parts);
      parts.push(each.terms);
    }
  }

  /** Returns the runs of `text.slice(start, end)`, or undefined if the slice must be read by itself. */
  runsWithin(start: number, end: number): Int32Array | undefined {
    const { runs, starts } = this;
    if (starts === undefined) return undefined;
    const [first, behind] = [firstFrom(starts, start, itself), firstFrom(starts, end, itself)];
    if (this.#cutsRun(first - 1, start) || this.#cutsRun(behind - 1, end)) return undefined;
    return runs.subarray(first, behind);
  }

  #cutsRun(place: number, at: number): boolean {
    const start = this.starts?.[place];
    return start !== undefined && start + this.vocabulary.wordOf(this.runs[place] as number).length > at;
  }
}

/** Concatenates arrays. If only one is given, or only one is not empty, it returns that array itself. */
export function joined(all: readonly Int32Array[]): Int32Array {
  if (all.length === 1) return all[0] as Int32Array;
  const parts = all.filter(({ length }) => length > 0);
  if (parts.length === 1) return parts[0] as Int32Array;
  const whole = new Int32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Returns the index of the first element whose value is at least `value`, by bisection. The values must ascend. */
function firstFrom<T>(ascending: ArrayLike<T>, value: number, placeOf: (each: T) => number): number {
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
const startOf = ({ start }: { start: number }) => start;

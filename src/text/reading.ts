import { locatedCompounds } from './compounds.js';
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
  #searchTerms?: Int32Array;
  #terms?: Int32Array;
  /** For each search term behind the stems of the words: the offset of its token. */
  #startsOfCompounds: readonly number[] = [];

  constructor(
    readonly text: string,
    readonly vocabulary: Vocabulary,
  ) {
    const { runs, starts } = locatedRuns(text);
    const words = wordsIn(runs);
    this.runs = vocabulary.idsOf(runs);
    this.words = words === runs ? this.runs : vocabulary.idsOf(words);
    this.starts = starts;
  }

  /** Stems of the words, in order. */
  get terms(): Int32Array {
    this.#terms ??= this.searchTerms.subarray(0, this.words.length);
    return this.#terms;
  }

  /** The stems, then the wholes and parts of identifiers. */
  get searchTerms(): Int32Array {
    this.#searchTerms ??= this.#readTerms();
    return this.#searchTerms;
  }

  /** Results of functions on the text, by function. */
  get found(): Map<unknown, unknown> {
    this.#found ??= new Map();
    return this.#found;
  }

  #readTerms(): Int32Array {
    const { words, vocabulary } = this;
    const found: number[] = [];
    const starts: number[] = [];
    for (const { start, compounds } of locatedCompounds(this.text)) {
      for (const compound of compounds) {
        found.push(vocabulary.stemOf(vocabulary.idOf(compound)));
        starts.push(start);
      }
    }
    this.#startsOfCompounds = starts;
    const all = new Int32Array(words.length + found.length);
    vocabulary.stemsOf(words, all);
    all.set(found, words.length);
    return all;
  }

  /** Returns the search terms of `text.slice(start, end)` in parts, or undefined if the slice must be read by itself. */
  searchTermsWithin(start: number, end: number): readonly Int32Array[] | undefined {
    const { searchTerms, words, starts } = this;
    const { length } = words;
    if (length !== starts?.length) return undefined;
    const own = searchTerms.subarray(firstFrom(starts, start), firstFrom(starts, end));
    const ofCompounds = this.#startsOfCompounds;
    if (ofCompounds.length === 0) return [own];
    const from = length + firstFrom(ofCompounds, start);
    return [own, searchTerms.subarray(from, length + firstFrom(ofCompounds, end))];
  }

  /** Returns the runs of `text.slice(start, end)`, or undefined if the slice must be read by itself. */
  runsWithin(start: number, end: number): Int32Array | undefined {
    const { runs, starts } = this;
    if (starts === undefined) return undefined;
    const first = firstFrom(starts, start);
    const behind = firstFrom(starts, end);
    if (this.#cutsRun(first - 1, start) || this.#cutsRun(behind - 1, end)) return undefined;
    return runs.subarray(first, behind);
  }

  #cutsRun(place: number, at: number): boolean {
    // Most slices begin and end at a space.
    if (this.text.charCodeAt(at) <= 32 || this.text.charCodeAt(at - 1) <= 32) return false;
    const start = this.starts?.[place];
    return start !== undefined && start + this.vocabulary.wordOf(this.runs[place] as number).length > at;
  }
}

/** Returns the index of the first element that is at least `value`, by bisection. The values must ascend. */
export function firstFrom(ascending: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

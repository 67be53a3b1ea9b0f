/**
 * Finds pairs of statements of different chunks that are equal but for one place, before any of them is read for its facts.
 * Most lists have none, and must not pay for the search.
 *
 * Each statement is a row of numbers: the stems of its words, without those that only hold it together. All numbers count
 * as one word, and so do opposites. Two rows are aligned if they share enough pairs of neighbouring words that few rows
 * have.
 */
import { lcs } from '../../math/lcs.js';
import type { Pacer } from '../../runtime/pacer.js';
import { MOST_ADDED } from '../../text/facts/difference.js';
import { wordKinds } from '../../text/facts/kinds.js';
import { onceByWord, type Vocabulary } from '../../text/vocabulary.js';

/** A statement, wherever it stands. */
export interface Worded {
  readonly text: string;
  /** The numbers of its words that count: {@link wordNumbers}. */
  readonly words: readonly number[];
}

/** Longer statements are lists, or texts without stops. In words that count. */
const MOST_WORDS = 160;
/** A pair of neighbouring words that more statements have says little. */
const MOST_LISTED = 16;
/** Most pairs that are aligned in one call, those that share most first. */
const MOST_ALIGNED = 4000;
/** Least share of the pairs of neighbouring words of the shorter statement. */
const LEAST_SHARED = 0.25;
/** Most words of a replaced part. */
const MOST_REPLACED = 8;
/** Least number of words that both have, as a share of the words of the longer statement. */
const LEAST_SAME = 0.5;

/**
 * Returns the pairs, in order. `isBounded`: there were too many, and the least alike are missing.
 *
 * @param mayPair whether two of them are compared at all.
 */
export async function similarPairs<T extends Worded>(
  all: readonly T[],
  mayPair: (one: T, other: T) => boolean,
  pacer: Pacer,
): Promise<{ pairs: readonly (readonly [T, T])[]; isBounded: boolean }> {
  const neighbours = new Neighbours(all.map(({ words }) => words));
  const found: { pair: readonly [T, T]; share: number }[] = [];
  for (const [at, other] of all.entries()) {
    if (pacer.due()) await pacer.pause();
    for (const [place, shared] of neighbours.before(at)) {
      const one = all[place] as T;
      const share = shared / Math.min(one.words.length, other.words.length);
      if (share >= LEAST_SHARED && mayPair(one, other)) found.push({ pair: [one, other], share });
    }
  }
  const isBounded = found.length > MOST_ALIGNED;
  if (isBounded) {
    const textsOf = ({ pair }: (typeof found)[number]) =>
      pair
        .map(({ text }) => text)
        .sort()
        .join('\n');
    found.sort((a, b) => b.share - a.share || (textsOf(a) < textsOf(b) ? -1 : 1));
    found.length = MOST_ALIGNED;
  }
  const pairs = found.map(({ pair }) => pair);
  return { pairs: pairs.filter(([one, other]) => mayDiffer(one.words, other.words)), isBounded };
}

/** Returns whether at most one part, or a name of two parts, is replaced by another. */
function mayDiffer(one: readonly number[], other: readonly number[]): boolean {
  let [same, replaced, added, at, from] = [0, 0, 0, 0, 0];
  const note = (left: number, right: number) => {
    if (left > 0 && right > 0) replaced += Math.max(left, right) > MOST_REPLACED ? 3 : 1;
    else added += left + right;
  };
  for (const [left, right] of lcs(one, other)) {
    note(left - at, right - from);
    same++;
    [at, from] = [left + 1, right + 1];
  }
  note(one.length - at, other.length - from);
  return (
    replaced <= 2 &&
    added <= MOST_ADDED * Math.max(same, 2) &&
    same >= LEAST_SAME * Math.max(one.length, other.length) - 1 &&
    same > 0
  );
}

/** The rows that have each pair of neighbouring words. */
class Neighbours {
  /** By pair: its rows, ascending. */
  readonly #rows = new Map<number, number[]>();

  /** By row: its pairs. */
  readonly #pairs: readonly (readonly number[])[];

  constructor(rows: readonly (readonly number[])[]) {
    this.#pairs = rows.map(pairsOf);
    for (const [at, pairs] of this.#pairs.entries()) {
      for (const pair of pairs) {
        const known = this.#rows.get(pair);
        if (known === undefined) this.#rows.set(pair, [at]);
        else if (known.at(-1) !== at) known.push(at);
      }
    }
  }

  /** Returns the rows before one that share pairs with it, and how many. */
  before(at: number): Map<number, number> {
    const shared = new Map<number, number>();
    for (const pair of this.#pairs[at] as readonly number[]) {
      const rows = this.#rows.get(pair) as number[];
      if (rows.length < 2 || rows.length > MOST_LISTED) continue;
      for (const other of rows) if (other < at) shared.set(other, (shared.get(other) ?? 0) + 1);
    }
    return shared;
  }
}

/** How a statement begins and how it ends are pairs, too: the middle of a short one may be what differs. */
function pairsOf(row: readonly number[]): number[] {
  const pairs: number[] = [];
  for (let place = 0; place <= row.length; place++)
    pairs.push(pairOf(row[place - 1] ?? END, row[place] ?? END));
  return pairs;
}

/** Returns a number that seldom is that of another pair. */
const pairOf = (one: number, other: number): number => (Math.imul(one, 0x85ebca6b) + other) | 0;

/**
 * Returns a function of the numbers of words, from one place to another: what the words count as, in order, without those that
 * do not count. Several numbers in a row are one. It is `undefined` if too few or too many count.
 */
export function wordNumbers(
  vocabulary: Vocabulary,
): (ids: Int32Array, from: number, to: number) => readonly number[] | undefined {
  const kindOf = vocabulary.found(wordKinds);
  const scales = new Map<string, number>();
  const numberOf = onceByWord((id) => {
    const kind = kindOf(id);
    if (kind === 'glue') return IGNORED;
    if (kind === 'value') return VALUE;
    if (kind === 'word') return FIRST_WORD + vocabulary.stemOf(id);
    const known = scales.get(kind.scale) ?? FIRST_SCALE - scales.size;
    scales.set(kind.scale, known);
    return known;
  });
  return (ids, from, to) => {
    const found: number[] = [];
    for (let at = from; at < to; at++) {
      const number = numberOf(ids[at] as number);
      if (number === IGNORED || (number === VALUE && found.at(-1) === VALUE)) continue;
      if (found.length === MOST_WORDS) return undefined;
      found.push(number);
    }
    return found.length < 2 ? undefined : found;
  };
}

const IGNORED = 1;
const VALUE = 2;
const END = 3;
const FIRST_WORD = 4;
const FIRST_SCALE = -1;

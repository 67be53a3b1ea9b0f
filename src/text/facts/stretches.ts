/**
 * Finds the stretches in which two sequences differ: those between their common elements, in order.
 *
 * The common elements are as many as possible, in as few runs as possible: a word of a heading is not matched with the
 * same word of the sentence below. Let w be the value of a common element, less 1 for the first of a run. F is the
 * greatest value of two ends, and G is the same directly behind a common element:
 *
 *   F(i, j) = max(F(i + 1, j), F(i, j + 1), w − 1 + G(i + 1, j + 1) where the elements are the same)
 *   G(i, j) = max(F(i, j), w + G(i + 1, j + 1) where the elements are the same)
 *
 * Ties: elements that only the first sequence has come first.
 *
 * The tables have rows and columns only for elements that both sequences have. Before any other element, F and G are the
 * F behind it. If half of the elements are in both, a quarter of the cells remains. Only a band along the
 * diagonal is needed: an alignment by anchors, which is fast, tells how good the best one is at least.
 *
 * Sources: R. Wagner, M. Fischer, "The string-to-string correction problem", Journal of the ACM 21, 1974; O. Gotoh, "An
 * improved algorithm for matching biological sequences", Journal of Molecular Biology 162, 1982 (the cost of a run).
 */

/** Tables of more cells would need more than a megabyte. */
const MOST_CELLS = 1 << 18;
/** The w of the formula above: one more common element is worth more than the usual number of runs. */
const WEIGHT = 16;
/** The values of longer sequences would not fit the tables. */
const LONGEST = Math.floor(0xffff / WEIGHT);
/** A common beginning or end of this length is accepted without a search. */
const SURE = 8;

/** `left` and `right` are bounds of slices (start inclusive, end exclusive). One of the two slices may be empty. */
export interface Stretch {
  readonly left: readonly [start: number, end: number];
  readonly right: readonly [start: number, end: number];
}

/** The work that the comparisons of one call may take, in cells of tables. No clock decides. */
export class Cells {
  /** Whether a table was not made, so that sequences were aligned by their anchors alone. */
  isSpent = false;

  constructor(public left = Number.MAX_SAFE_INTEGER) {}

  /** Takes cells, if so many are left. */
  take(cells: number): boolean {
    const isEnough = cells <= this.left;
    if (isEnough) this.left -= cells;
    else this.isSpent = true;
    return isEnough;
  }
}

/**
 * Returns the stretches in which two sequences differ. If the tables would need too many cells, they are those between
 * the anchors.
 *
 * @param a elements as numbers below the length of `zeros`, as those of `b` are.
 * @param zeros zeros. They are zeros again afterwards.
 */
export function stretchesOf(a: Int32Array, b: Int32Array, zeros: Int32Array, cells = new Cells()): Stretch[] {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start++;
  let cut = 0;
  while (cut < most - start && a[a.length - 1 - cut] === b[b.length - 1 - cut]) cut++;
  const isWhole = start + cut === most;
  if (start < SURE && !isWhole) start = 0;
  if (cut < SURE && !isWhole) cut = 0;
  const [rows, columns] = [a.length - cut - start, b.length - cut - start];
  if (rows === 0 && columns === 0) return [];
  const all: Stretch = { left: [start, start + rows], right: [start, start + columns] };
  if (rows === 0 || columns === 0) return [all];
  const left = a.subarray(start, start + rows);
  const right = b.subarray(start, start + columns);
  const common = commonOf(left, right, zeros);
  // Most pairs of texts with the same words around one fact have nothing in common within it, and need no tables.
  if (common === undefined) return [all];
  const anchored = matchesByAnchors(left, right, common.anchors);
  const band = bandOf(common, anchored);
  const found = cells.take(band.cells)
    ? byTables(left, right, common, band)
    : between(anchored, rows, columns);
  const moved = ([from, to]: readonly [number, number]) => [start + from, start + to] as const;
  return start === 0 ? found : found.map((each) => ({ left: moved(each.left), right: moved(each.right) }));
}

/** The elements that both sequences have. */
interface Common {
  /** By place in the first sequence, up to its end: the row of the next element that both sequences have. */
  readonly rowOf: Int32Array;
  readonly columnOf: Int32Array;
  /** By row: the place in the first sequence. */
  readonly ours: Int32Array;
  readonly theirs: Int32Array;
  /** By place in the first sequence: the place in the second of an element that each has once, else -1. */
  readonly anchors: Int32Array;
}

const IN_LEFT = 1;
const AGAIN_IN_LEFT = 2;
const IN_RIGHT = 4;
const AGAIN_IN_RIGHT = 8;
const IN_BOTH = IN_LEFT | IN_RIGHT;

/** Returns the elements that both sequences have, or undefined if there are none. */
function commonOf(left: Int32Array, right: Int32Array, zeros: Int32Array): Common | undefined {
  mark(left, zeros, IN_LEFT, AGAIN_IN_LEFT);
  mark(right, zeros, IN_RIGHT, AGAIN_IN_RIGHT);
  const columnOf = commonBefore(right, zeros);
  const isNone = columnOf[right.length] === 0;
  const rowOf = isNone ? columnOf : commonBefore(left, zeros);
  const anchors = new Int32Array(isNone ? 0 : left.length).fill(-1);
  if (!isNone) {
    // The place of an element that each has once takes the place of its marks.
    for (let at = 0; at < right.length; at++) {
      if (zeros[right[at] as number] === IN_BOTH) zeros[right[at] as number] = -1 - at;
    }
    for (let at = 0; at < left.length; at++) {
      const place = zeros[left[at] as number] as number;
      if (place < 0) anchors[at] = -1 - place;
    }
  }
  for (let at = 0; at < left.length; at++) zeros[left[at] as number] = 0;
  for (let at = 0; at < right.length; at++) zeros[right[at] as number] = 0;
  return isNone
    ? undefined
    : { rowOf, columnOf, ours: placesOfCommon(rowOf), theirs: placesOfCommon(columnOf), anchors };
}

function mark(elements: Int32Array, marks: Int32Array, once: number, again: number): void {
  for (let at = 0; at < elements.length; at++) {
    const element = elements[at] as number;
    const known = marks[element] as number;
    marks[element] = known | ((known & once) === 0 ? once : again);
  }
}

/** By place, up to the end: the number of elements before it that both sequences have. */
function commonBefore(own: Int32Array, marks: Int32Array): Int32Array {
  const before = new Int32Array(own.length + 1);
  let count = 0;
  for (let at = 0; at < own.length; at++) {
    before[at] = count;
    if (((marks[own[at] as number] as number) & IN_BOTH) === IN_BOTH) count++;
  }
  before[own.length] = count;
  return before;
}

/** The places of the elements that both sequences have, ascending. */
function placesOfCommon(before: Int32Array): Int32Array {
  const places = new Int32Array(before[before.length - 1] as number);
  for (let at = 0; at + 1 < before.length; at++) {
    if (before[at] !== before[at + 1]) places[before[at] as number] = at;
  }
  return places;
}

/**
 * Aligns two sequences by anchors: as many as possible of the elements that each has once, in order. Between two anchors,
 * the elements at the beginning and at the end are aligned as long as they are the same. It takes n log n steps.
 *
 * Source: J. W. Hunt, T. G. Szymanski, "A fast algorithm for computing longest common subsequences", Communications of the
 * ACM 20, 1977.
 *
 * @returns by place in the first sequence: the place in the second, or -1.
 */
function matchesByAnchors(left: Int32Array, right: Int32Array, anchors: Int32Array): Int32Array {
  const matches = longestAscent(anchors);
  let [from, to] = [0, 0];
  for (let at = 0; at <= left.length; at++) {
    const isEnd = at === left.length;
    if (!isEnd && (matches[at] as number) < 0) continue;
    let [end, last] = [at, isEnd ? right.length : (matches[at] as number)];
    while (from < end && to < last && left[from] === right[to]) matches[from++] = to++;
    while (from < end && to < last && left[end - 1] === right[last - 1]) matches[--end] = --last;
    from = at + 1;
    to = (matches[at] as number) + 1;
  }
  return matches;
}

/** Returns the values of a longest ascending choice of those that are not -1, each at its place; -1 at all others. */
function longestAscent(values: Int32Array): Int32Array {
  /** By length of a choice: the place of the least last value. */
  const lasts = new Int32Array(values.length);
  const before = new Int32Array(values.length);
  let length = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number;
    if (value < 0) continue;
    let [low, high] = [0, length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[lasts[middle] as number] as number) < value) low = middle + 1;
      else high = middle;
    }
    before[at] = low === 0 ? -1 : (lasts[low - 1] as number);
    lasts[low] = at;
    if (low === length) length++;
  }
  const chosen = new Int32Array(values.length).fill(-1);
  for (let at = length === 0 ? -1 : (lasts[length - 1] as number); at >= 0; at = before[at] as number) {
    chosen[at] = values[at] as number;
  }
  return chosen;
}

/** Returns the stretches between matches. */
function between(matches: Int32Array, rows: number, columns: number): Stretch[] {
  const found: Stretch[] = [];
  let [row, column] = [0, 0];
  for (let at = 0; at <= rows; at++) {
    const place = at === rows ? columns : (matches[at] as number);
    if (place < 0) continue;
    if (at > row || place > column) found.push({ left: [row, at], right: [column, place] });
    [row, column] = [at + 1, place + 1];
  }
  return found;
}

/** The cells on the best ways through the tables: those whose column less their row is within bounds. */
interface Band {
  readonly least: number;
  readonly most: number;
  readonly cells: number;
}

/**
 * Returns a band that holds every best way. A way through a cell outside leaves out so many rows or columns that even with
 * all others in common its value is less than that of a known alignment.
 */
function bandOf({ ours, theirs }: Common, known: Int32Array): Band {
  let matches = 0;
  let runs = 0;
  let last = -2;
  for (let at = 0; at < known.length; at++) {
    const place = known[at] as number;
    if (place < 0) last = -2;
    else {
      matches++;
      if (place !== last + 1) runs++;
      last = place;
    }
  }
  const needed = Math.ceil((WEIGHT * matches - runs + 1) / WEIGHT);
  const most = Math.min(theirs.length, theirs.length - needed);
  const least = Math.max(-ours.length, needed - ours.length);
  const width = Math.min(most - least + 3, theirs.length + 1);
  const cells = (ours.length + 1) * width;
  const isTooLarge = cells > MOST_CELLS || Math.min(ours.length, theirs.length) > LONGEST;
  return { least, most, cells: isTooLarge ? Number.POSITIVE_INFINITY : cells };
}

/** F and G, row by row. The arrays are used again: making them anew took half of the time. */
let apart = new Uint16Array(0);
let behind = new Uint16Array(0);

function byTables(
  left: Int32Array,
  right: Int32Array,
  { rowOf, columnOf, ours, theirs }: Common,
  { least, most, cells }: Band,
): Stretch[] {
  if (apart.length < cells) {
    apart = new Uint16Array(Math.min(MOST_CELLS, 2 * cells));
    behind = new Uint16Array(apart.length);
  }
  const isBand = most - least + 3 < theirs.length + 1;
  // A row of a band begins one cell further to the right than the row above, and has an empty cell at each end.
  const shift = isBand ? 1 : 0;
  const first = isBand ? least - 1 : 0;
  const width = isBand ? most - least + 3 : theirs.length + 1;
  const down = width - shift;
  const elements = theirs.map((place) => right[place] as number);
  apart.fill(0, ours.length * width, (ours.length + 1) * width);
  behind.fill(0, ours.length * width, (ours.length + 1) * width);
  for (let row = ours.length - 1; row >= 0; row--) {
    const element = left[ours[row] as number];
    const isRun = (ours[row + 1] as number) === (ours[row] as number) + 1;
    const start = row * width - first - shift * row;
    const from = isBand ? Math.max(0, row + least) : 0;
    const to = isBand ? Math.min(theirs.length, row + most + 1) : theirs.length;
    apart[start + to] = 0;
    behind[start + to] = 0;
    for (let column = to - 1; column >= from; column--) {
      const cell = start + column;
      const below = apart[cell + down] as number;
      const beside = apart[cell + 1] as number;
      const skipped = below > beside ? below : beside;
      if (elements[column] !== element) {
        apart[cell] = skipped;
        behind[cell] = skipped;
        continue;
      }
      const goesOn = isRun && (theirs[column + 1] as number) === (theirs[column] as number) + 1;
      const same = WEIGHT + ((goesOn ? behind : apart)[cell + down + 1] as number);
      const separate = same > skipped ? same - 1 : skipped;
      apart[cell] = separate;
      behind[cell] = separate > same ? separate : same;
    }
    if (isBand && from > 0) apart[start + from - 1] = 0;
  }
  const cellOf = (row: number, column: number) =>
    (rowOf[row] as number) * down + (columnOf[column] as number) - first;
  const [rows, columns] = [left.length, right.length];
  const found: Stretch[] = [];
  let [row, column] = [0, 0];
  while (row < rows || column < columns) {
    const [from, to] = [row, column];
    while (row < rows || column < columns) {
      const here = apart[cellOf(row, column)];
      const skipsRow = row < rows && here === apart[cellOf(row + 1, column)];
      const skipsColumn = column < columns && here === apart[cellOf(row, column + 1)];
      if (!skipsRow && !skipsColumn) break;
      if (skipsRow) row++;
      else column++;
    }
    if (row > from || column > to) found.push({ left: [from, row], right: [to, column] });
    for (let isFirst = true; row < rows && column < columns && left[row] === right[column]; isFirst = false) {
      const cell = cellOf(row, column);
      const isBest = (behind[cell] as number) > (apart[cell] as number);
      if (!isFirst && !isBest) break;
      row++;
      column++;
    }
  }
  return found;
}

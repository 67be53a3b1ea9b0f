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
 * F behind it. If half of the elements are in both, a quarter of the cells remains.
 *
 * Sources: R. Wagner, M. Fischer, "The string-to-string correction problem", Journal of the ACM 21, 1974; O. Gotoh, "An
 * improved algorithm for matching biological sequences", Journal of Molecular Biology 162, 1982 (the cost of a run).
 */

/** Longer sequences would need tables of more than a megabyte. They differ so much that the comparison has no value. */
const MOST_CELLS = 1 << 18;
/** The w of the formula above: one more common element is worth more than the usual number of runs. */
const WEIGHT = 16;
/** A common beginning or end of this length is accepted without a search. */
const SURE = 8;

/** `left` and `right` are bounds of slices (start inclusive, end exclusive). One of the two slices may be empty. */
export interface Stretch {
  readonly left: readonly [start: number, end: number];
  readonly right: readonly [start: number, end: number];
}

/**
 * Returns the stretches in which two sequences differ, or undefined if the sequences are too long to be compared.
 *
 * @param a elements as numbers below the length of `zeros`, as those of `b` are.
 * @param zeros zeros. They are zeros again afterwards.
 */
export function stretchesOf(a: Int32Array, b: Int32Array, zeros: Int32Array): Stretch[] | undefined {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start++;
  let cut = 0;
  while (cut < most - start && a[a.length - 1 - cut] === b[b.length - 1 - cut]) cut++;
  const isWhole = start + cut === most;
  if (start < SURE && !isWhole) start = 0;
  if (cut < SURE && !isWhole) cut = 0;
  const [rows, columns] = [a.length - cut - start, b.length - cut - start];
  if (rows * columns > MOST_CELLS) return undefined;
  if (rows === 0 && columns === 0) return [];
  const left = a.subarray(start, start + rows);
  const right = b.subarray(start, start + columns);
  if (!haveCommon(left, right, zeros)) {
    return [{ left: [start, start + rows], right: [start, start + columns] }];
  }
  const { rowOf, columnOf, width, apart, behind } = tablesOf(left, right, zeros);
  const cellOf = (row: number, column: number) =>
    (rowOf[row] as number) * width + (columnOf[column] as number);
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
    if (row > from || column > to) {
      found.push({ left: [start + from, start + row], right: [start + to, start + column] });
    }
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

/** Most pairs of texts with the same words around one fact have nothing in common within it, and need no tables. */
function haveCommon(left: Int32Array, right: Int32Array, zeros: Int32Array): boolean {
  for (let at = 0; at < left.length; at++) zeros[left[at] as number] = IN_LEFT;
  let found = false;
  for (let at = 0; at < right.length && !found; at++) found = zeros[right[at] as number] === IN_LEFT;
  for (let at = 0; at < left.length; at++) zeros[left[at] as number] = 0;
  return found;
}

interface Tables {
  /** By place in the first sequence, up to its end: the row of the next element that both sequences have. */
  readonly rowOf: Int32Array;
  readonly columnOf: Int32Array;
  readonly width: number;
  /** F and G, row by row. */
  readonly apart: Uint16Array;
  readonly behind: Uint16Array;
}

function tablesOf(left: Int32Array, right: Int32Array, zeros: Int32Array): Tables {
  for (let at = 0; at < left.length; at++) zeros[left[at] as number] = IN_LEFT;
  for (let at = 0; at < right.length; at++) {
    const element = right[at] as number;
    zeros[element] = (zeros[element] as number) | IN_RIGHT;
  }
  const rowOf = commonBefore(left, zeros);
  const columnOf = commonBefore(right, zeros);
  for (let at = 0; at < left.length; at++) zeros[left[at] as number] = 0;
  for (let at = 0; at < right.length; at++) zeros[right[at] as number] = 0;
  const ours = placesOfCommon(rowOf);
  const theirs = placesOfCommon(columnOf);
  const elements = theirs.map((place) => right[place] as number);
  const width = theirs.length + 1;
  const apart = new Uint16Array((ours.length + 1) * width);
  const behind = new Uint16Array((ours.length + 1) * width);
  for (let row = ours.length - 1; row >= 0; row--) {
    const element = left[ours[row] as number];
    const isRun = (ours[row + 1] as number) === (ours[row] as number) + 1;
    for (let column = theirs.length - 1; column >= 0; column--) {
      const cell = row * width + column;
      const below = apart[cell + width] as number;
      const beside = apart[cell + 1] as number;
      const skipped = below > beside ? below : beside;
      if (elements[column] !== element) {
        apart[cell] = skipped;
        behind[cell] = skipped;
        continue;
      }
      const goesOn = isRun && (theirs[column + 1] as number) === (theirs[column] as number) + 1;
      const same = WEIGHT + ((goesOn ? behind : apart)[cell + width + 1] as number);
      const separate = same > skipped ? same - 1 : skipped;
      apart[cell] = separate;
      behind[cell] = separate > same ? separate : same;
    }
  }
  return { rowOf, columnOf, width, apart, behind };
}

const IN_LEFT = 1;
const IN_RIGHT = 2;

/** By place, up to the end: the number of elements before it that both sequences have. */
function commonBefore(own: Int32Array, marks: Int32Array): Int32Array {
  const before = new Int32Array(own.length + 1);
  let count = 0;
  for (let at = 0; at < own.length; at++) {
    before[at] = count;
    if (marks[own[at] as number] === (IN_LEFT | IN_RIGHT)) count++;
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

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

/** Returns the stretches in which two sequences differ, or undefined if the sequences are too long to be compared. */
export function stretchesOf(a: readonly string[], b: readonly string[]): Stretch[] | undefined {
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
  const width = columns + 1;
  const apart = new Uint16Array((rows + 1) * width);
  const behind = new Uint16Array((rows + 1) * width);
  const isSame = (row: number, column: number): boolean =>
    row < rows && column < columns && a[start + row] === b[start + column];
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      const cell = row * width + column;
      const skipped = Math.max(apart[cell + width] as number, apart[cell + 1] as number);
      const same = isSame(row, column) ? WEIGHT + (behind[cell + width + 1] as number) : 0;
      const separate = same > skipped ? same - 1 : skipped;
      apart[cell] = separate;
      behind[cell] = Math.max(separate, same);
    }
  }
  const found: Stretch[] = [];
  let [row, column] = [0, 0];
  while (row < rows || column < columns) {
    const [from, to] = [row, column];
    while (row < rows || column < columns) {
      const cell = row * width + column;
      const skipsRow = row < rows && (apart[cell] as number) === (apart[cell + width] as number);
      const skipsColumn = column < columns && (apart[cell] as number) === (apart[cell + 1] as number);
      if (!skipsRow && !skipsColumn) break;
      if (skipsRow) row++;
      else column++;
    }
    if (row > from || column > to) {
      found.push({ left: [start + from, start + row], right: [start + to, start + column] });
    }
    let isFirst = true;
    while (isSame(row, column)) {
      const cell = row * width + column;
      const isBest = (behind[cell] as number) > (apart[cell] as number);
      if (!isFirst && !isBest) break;
      isFirst = false;
      row++;
      column++;
    }
  }
  return found;
}

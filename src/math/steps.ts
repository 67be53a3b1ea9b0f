/**
 * A long computation in steps. The caller may do other work between two steps, or stop. Pauses do not change the result.
 */
export type Steps<T> = Generator<void, T, void>;

/** Runs all steps at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The least size of the items of one step. */
const STEP = 4096;
/** The size of an item that takes less than a microsecond, as a step does. */
export const tiny = (): number => STEP / 256;

/**
 * The results of a function on each item, one step for each. Holes of a sparse array are items.
 *
 * @param sizeOf the size of an item, such as the number of its terms. Then small items share a step, because a step takes
 *   longer than the work on a sentence.
 */
export function* mapped<T, R>(
  items: ArrayLike<T>,
  map: (item: T, place: number) => R,
  sizeOf: (item: T) => number = () => STEP,
): Steps<R[]> {
  const results: R[] = [];
  let size = 0;
  for (let place = 0; place < items.length; place++) {
    const item = items[place] as T;
    results.push(map(item, place));
    size += sizeOf(item);
    if (size < STEP) continue;
    size = 0;
    yield;
  }
  return results;
}

/** Items that are sorted, or merged, in one step. */
const SORTED = 512;

/** The items in order, as `toSorted` gives them: those that compare as equal stay in the order given. */
export function* toSorted<T>(items: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  let runs: T[][] = [];
  for (let from = 0; from < items.length; from += SORTED) {
    runs.push(items.slice(from, from + SORTED).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const longer: T[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      longer.push(yield* merged(runs[at] as T[], runs[at + 1] ?? [], compare));
    runs = longer;
  }
  return runs[0] ?? [];
}

function* merged<T>(first: readonly T[], second: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  const all: T[] = [];
  let [one, other] = [0, 0];
  while (one < first.length && other < second.length) {
    const isFirst = compare(first[one] as T, second[other] as T) <= 0;
    all.push(isFirst ? (first[one++] as T) : (second[other++] as T));
    if (all.length % SORTED === 0) yield;
  }
  return all.concat(first.slice(one), second.slice(other));
}

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

/** Items for one step, if each takes less than a microsecond, as a step does. */
export const MANY = 256;

/**
 * The results of a function on each item. Holes of a sparse array are items.
 *
 * @param atOnce number of items in one step.
 */
export function* mapped<T, R>(
  items: ArrayLike<T>,
  map: (item: T, place: number) => R,
  atOnce = 1,
): Steps<R[]> {
  const results: R[] = [];
  for (let place = 0; place < items.length; place++) {
    results.push(map(items[place] as T, place));
    if ((place + 1) % atOnce === 0) yield;
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

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

/**
 * The results of a function on each item, one step for each. Holes of a sparse array are items.
 *
 * @param sizeOf the size of an item, such as the number of its terms. Then small items share a step, because a step takes
 *   longer than the work on a sentence.
 */
export function* mapped<T, R>(
  items: ArrayLike<T>,
  map: (item: T, place: number) => R,
  sizeOf?: (item: T) => number,
): Steps<R[]> {
  const results: R[] = [];
  let size = 0;
  for (let place = 0; place < items.length; place++) {
    const item = items[place] as T;
    results.push(map(item, place));
    size += sizeOf === undefined ? STEP : sizeOf(item);
    if (size < STEP) continue;
    size = 0;
    yield;
  }
  return results;
}

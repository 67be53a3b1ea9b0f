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

/** The results of a function on each item, one step for each. Holes of a sparse array are items. */
export function* mapped<T, R>(items: ArrayLike<T>, map: (item: T, place: number) => R): Steps<R[]> {
  const results: R[] = [];
  for (let place = 0; place < items.length; place++) {
    results.push(map(items[place] as T, place));
    yield;
  }
  return results;
}

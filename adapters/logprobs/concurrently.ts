/**
 * Calls `work` for each item, at most so many at once, begun in order. The first that throws ends it: no
 * further one is begun, those under way are told by the signal they are given, and the error is thrown on.
 *
 * @returns what each gave, in the order of the items.
 */
export async function concurrently<T, R>(
  items: readonly T[],
  atOnce: number,
  signal: AbortSignal | undefined,
  work: (item: T, signal: AbortSignal, place: number) => Promise<R>,
): Promise<R[]> {
  signal?.throwIfAborted();
  const failed = new AbortController();
  const stop = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
  const results = new Array<R>(items.length);
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      stop.throwIfAborted();
      const place = next++;
      results[place] = await work(items[place] as T, stop, place);
    }
  };
  const workers = Array.from({ length: Math.min(atOnce, items.length) }, worker);
  try {
    await Promise.all(workers);
  } catch (error) {
    failed.abort(error);
    await Promise.allSettled(workers);
    signal?.throwIfAborted();
    throw error;
  }
  return results;
}

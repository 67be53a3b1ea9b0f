/** The last import that was started. It never rejects. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Defers an import to the first call, and keeps the module: importing again takes time even if the module is loaded. A
 * failed import is tried again at the next call.
 *
 * Imports wait for each other. Jest in ESM mode fails before Node 24 if two modules that share a third one are imported
 * at the same time, and calls of a shaper that run at once would do that.
 */
/* @__NO_SIDE_EFFECTS__ */ export function onDemand<T>(load: () => Promise<T>): () => Promise<T> {
  let module: Promise<T> | undefined;
  return () => {
    if (module !== undefined) return module;
    const loading = last.then(load);
    last = loading.catch(() => {
      module = undefined;
    });
    module = loading;
    return loading;
  };
}

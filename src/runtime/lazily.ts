/** Defers `make` to the first call, so that importing the package does not pay for it. */
/* @__NO_SIDE_EFFECTS__ */ export function lazily<T extends object | boolean>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/**
 * A regular expression that is compiled on first use. Engines compile literals when they read a file, even in functions
 * that are never called, and build a set of hundreds of ranges for each Unicode class. That was a third of the import
 * time.
 *
 * All callers share one object, so use the flags `g` and `y` only with methods that set `lastIndex` themselves.
 */
/* @__NO_SIDE_EFFECTS__ */ export const lazyRegExp = (
  source: string | (() => string),
  flags: string,
): (() => RegExp) => lazily(() => new RegExp(typeof source === 'string' ? source : source(), flags));

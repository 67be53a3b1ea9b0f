/** What `make` makes, made when it is first asked for: whoever imports the package need not wait for it. */
export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/**
 * Likewise a regular expression. Engines check literals as they read a file, those in functions that are never called
 * as well, and each Unicode class is a set of hundreds of ranges to them: a third of the time of an import.
 *
 * Everybody gets the same object, so one with `g` or `y` is for methods that set where they begin.
 */
export const lazyRegExp = (source: string, flags: string): (() => RegExp) =>
  lazily(() => new RegExp(source, flags));

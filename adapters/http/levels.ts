const MOST_LEVELS = 1000;

/** JSON is read level by level, but written by recursion: what is nested deeper than this would end the thread's stack. */
export function isTooDeep(json: unknown): boolean {
  let level = [json];
  for (let depth = 0; depth < MOST_LEVELS; depth++) {
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
    if (level.length === 0) return false;
  }
  return true;
}

/** The number of tried cases: all, or the number for the short run of `npm test` (see `vitest.config.ts`). */

export const isFullRun = process.env.CONTEXT_SHAPING_TESTS !== 'short';

/** In a full run in continuous integration, a missing server or package is an error. Elsewhere its tests are skipped. */
export const mustHaveAll = isFullRun && process.env.CI === 'true';

/** How many generated cases a property is tried on: `full` in the full run, `short` in the short one. */
export const cases = (full: number, short: number): number => (isFullRun ? full : short);

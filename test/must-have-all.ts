/** In continuous integration, a missing server or package is an error. Elsewhere its tests are skipped. */
export const mustHaveAll = process.env.CI === 'true';

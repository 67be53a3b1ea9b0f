/** This release, as package.json names it. A test compares the two. */
export const LIBRARY = { name: 'context-shaping', version: '0.1.0' } as const;

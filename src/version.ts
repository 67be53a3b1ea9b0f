/** This release, as package.json names it. A test compares the two. */
export const LIBRARY = { name: 'context-shaping', version: '1.0.0-rc.1' } as const;

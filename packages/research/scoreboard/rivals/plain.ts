import type { Rival } from '../rival.js';

/** Whole chunks in the order of BM25. */
export default { name: 'top-k', ignoresBudget: true, select: ({ chunks }) => chunks } satisfies Rival;

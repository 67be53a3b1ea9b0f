export const ANSWERABLE = {
  bias: -6.65,
  weights: {
    grams: 2.88,
    phrase: 0.78,
    title: 1.24,
    mass: 1.86,
    bm25: 2.79,
    names: 1.3,
    numbers: 1.54,
    date: 0.74,
  },
} as const;

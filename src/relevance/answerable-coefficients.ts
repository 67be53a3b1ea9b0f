export const ANSWERABLE = {
  bias: -5.33,
  weights: {
    grams: 2.76,
    phrase: 1.03,
    title: 1.09,
    mass: 1.84,
    bm25: 1.86,
    names: 1.1,
    numbers: 0.93,
    date: 0.39,
  },
} as const;

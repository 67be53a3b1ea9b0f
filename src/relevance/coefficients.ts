export const COEFFICIENTS = {
  passages: {
    words: { base: -3.88, size: -0.91, place: 0, weights: { grams: 2.94, phrase: 0.97, proximity: 1.27, title: 1.13, titleBridge: 1.44, coverage: 2.23 } },
    ranked: { base: -2.66, size: -0.24, place: 1.99, weights: { grams: 2.14, phrase: 0.82, proximity: 0.54, title: 0.96, titleBridge: 1.45, coverage: 2.05 } },
  },
  talk: {
    words: { base: -3.88, size: -0.91, place: 0, weights: { grams: 2.94 } },
    ranked: { base: -3.88, size: -0.91, place: 0, weights: { grams: 2.94 } },
  },
  chat: {
    words: { base: -3.88, size: -0.91, place: 0, weights: { grams: 2.94 } },
    ranked: { base: -3.88, size: -0.91, place: 0, weights: { grams: 2.94 } },
  },
  units: { base: -4.5, size: -0.42, length: 0.22, words: 0.21, beyond: 0.81, weights: { grams: 1.81, date: 0.92, titleBridge: 1.03, neighbours: 2.51 } },
} as const;

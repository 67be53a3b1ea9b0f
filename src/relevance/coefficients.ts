/**
 * The learned coefficients of the model of relevance (`model.ts`, `units.ts`). Written by
 * `npm run train -- --data DIR --model DIR`; do not edit.
 *
 * Learned by logistic regression on Natural Questions, HotpotQA, MuSiQue, RAMDocs, XQuAD, MTRAG-UN and TAT-QA, each with the
 * same weight. The lists are of 10, 20 and 40 chunks by BM25, with and without the evidence, in the order of BM25 and in
 * orders that were made up to be as good as those of rerankers. Chats are of LongMemEval. For `talk`, only the scale and
 * the base were learned, because no talk of people has marked evidence and a licence to learn from it. `cosine` was learned
 * with vectors of a small static model.
 */
export const COEFFICIENTS = {
  /** Passages of documents. */
  passages: {
    words: {
      base: -3.9,
      size: -0.88,
      place: 0,
      weights: {
        grams: 2.81,
        coverage: 2.4,
        phrase: 0.98,
        proximity: 1.26,
        title: 1.13,
        titleBridge: 1.45,
        cosine: 0.39,
      },
    },
    ranked: {
      base: -2.46,
      size: -0.19,
      place: 2.12,
      weights: {
        grams: 1.74,
        coverage: 2.3,
        phrase: 0.75,
        proximity: 0.49,
        title: 0.95,
        titleBridge: 1.46,
        cosine: 0.39,
      },
    },
  },
  /** Turns of people among themselves. */
  talk: {
    words: {
      base: -2.37,
      size: -1.06,
      place: 0,
      weights: {
        grams: 1.32,
        phrase: 0.65,
        proximity: 0.62,
        neighbours: 2.31,
        source: 3.02,
        dateMatch: 1.87,
        number: 0.51,
        feedback: 0.3,
        wordBridge: 0.7,
        speaker: 1.06,
        cosine: 0.39,
      },
    },
    ranked: {
      base: -3.67,
      size: -0.02,
      place: 1.5,
      weights: {
        grams: 1.26,
        phrase: 0.62,
        proximity: 0.6,
        neighbours: 2.21,
        source: 2.89,
        dateMatch: 1.79,
        number: 0.49,
        feedback: 0.29,
        wordBridge: 0.67,
        speaker: 1.01,
        cosine: 0.39,
      },
    },
  },
  /** Turns of a chat with an assistant. */
  chat: {
    words: {
      base: -1.47,
      size: -1.36,
      place: 0,
      weights: {
        grams: 2.16,
        coverage: 0.98,
        phrase: 1.52,
        proximity: 2.66,
        speaker: 2.95,
        source: 0.23,
        dateMatch: 0.4,
        number: 0.7,
        feedback: 0.27,
        wordBridge: 1.14,
        cosine: 0.39,
      },
    },
    ranked: {
      base: -2.12,
      size: -0.35,
      place: 1.77,
      weights: {
        grams: 1.92,
        coverage: 1.08,
        phrase: 1.58,
        proximity: 2.3,
        speaker: 2.6,
        source: 0.69,
        dateMatch: 0.37,
        number: 0.76,
        feedback: 0.22,
        wordBridge: 1.17,
        cosine: 0.39,
      },
    },
  },
  /** Sentences and other units within chunks. */
  units: {
    base: -3.83,
    size: -0.47,
    length: 0.04,
    words: 0.23,
    beyond: 0.92,
    weights: {
      grams: 2.19,
      date: 1.18,
      titleBridge: 0.94,
      neighbours: 2.69,
    },
  },
} as const;

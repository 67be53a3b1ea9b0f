/**
 * The learned coefficients of the model of relevance (`model.ts`, `units.ts`). Written by
 * `npm run train -- --data DIR`; do not edit.
 *
 * Learned by logistic regression on Natural Questions, HotpotQA, MuSiQue, RAMDocs, XQuAD, MTRAG-UN and TAT-QA, each with the
 * same weight. The lists are of 10, 20 and 40 chunks by BM25, with and without the evidence, in the order of BM25 and in
 * orders that were made up to be as good as those of rerankers. Chats are of LongMemEval. For `talk`, only the scale and
 * the base were learned, because no talk of people has marked evidence and a licence to learn from it. The `titleBridge` of
 * passages was learned on top of the other features, from the questions of several steps of HotpotQA and MuSiQue alone.
 */
export const COEFFICIENTS = {
  /** Passages of documents. */
  passages: {
    words: {
      base: -3.52,
      size: -0.85,
      place: 0,
      weights: {
        grams: 2.96,
        coverage: 2.79,
        phrase: 1.09,
        title: 1.41,
        titleBridge: 2.27,
      },
    },
    ranked: {
      base: -2.41,
      size: -0.16,
      place: 2.09,
      weights: {
        grams: 1.72,
        coverage: 2.44,
        phrase: 0.82,
        title: 1.23,
        titleBridge: 2.3,
      },
    },
  },
  /** Turns of people among themselves. */
  talk: {
    words: {
      base: -2.01,
      size: -1.09,
      place: 0,
      weights: {
        grams: 1.33,
        phrase: 0.66,
        proximity: 0.63,
        neighbours: 2.33,
        source: 3.05,
        dateMatch: 1.89,
        speaker: 1.07,
      },
    },
    ranked: {
      base: -3.3,
      size: -0.05,
      place: 1.5,
      weights: {
        grams: 1.28,
        phrase: 0.63,
        proximity: 0.6,
        neighbours: 2.23,
        source: 2.92,
        dateMatch: 1.81,
        speaker: 1.02,
      },
    },
  },
  /** Turns of a chat with an assistant. */
  chat: {
    words: {
      base: 0.14,
      size: -1.54,
      place: 0,
      weights: {
        grams: 2.37,
        coverage: 1.27,
        phrase: 1.42,
        proximity: 2.59,
        speaker: 2.57,
        source: 0.51,
        dateMatch: 0.47,
      },
    },
    ranked: {
      base: -0.41,
      size: -0.56,
      place: 1.77,
      weights: {
        grams: 2.19,
        coverage: 1.36,
        phrase: 1.5,
        proximity: 2.24,
        speaker: 2.27,
        source: 0.93,
        dateMatch: 0.45,
      },
    },
  },
  /** Sentences and other units within chunks. */
  units: {
    base: -3.16,
    size: -0.54,
    length: -0.01,
    words: 0.26,
    beyond: 0.59,
    weights: {
      grams: 2.2,
      date: 1.17,
      neighbours: 2.34,
    },
  },
} as const;

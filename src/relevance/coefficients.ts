/**
 * The learned coefficients of the model of relevance (`model.ts`, `units.ts`). Written by
 * `npm run train -- --data DIR --model DIR`; do not edit.
 *
 * Learned by logistic regression on Natural Questions, HotpotQA, MuSiQue, RAMDocs, XQuAD, MTRAG-UN and TAT-QA, each with the
 * same weight. The lists are of 10, 20 and 40 chunks by BM25, with and without the evidence, in the order of BM25 and in
 * orders that were made up to be as good as those of rerankers. Chats are of LongMemEval. For `talk`, only the scale and
 * the base were learned, because no talk of people has marked evidence and a licence to learn from it. The `titleBridge` of
 * passages was learned on top of the other features, from the questions of several steps of HotpotQA and MuSiQue alone.
 * `cosine` was learned on top of them with vectors of a small static model.
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
        cosine: 0.43,
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
        cosine: 0.43,
      },
    },
  },
  /** Turns of people among themselves. */
  talk: {
    words: {
      base: -2.36,
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
        cosine: 0.43,
      },
    },
    ranked: {
      base: -3.66,
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
        cosine: 0.43,
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
        cosine: 0.43,
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
        cosine: 0.43,
      },
    },
  },
  /** Sentences and other units within chunks. */
  units: {
    base: -3.3,
    size: -0.52,
    length: -0.01,
    words: 0.25,
    beyond: 0.59,
    weights: {
      grams: 2.24,
      date: 1.13,
      neighbours: 2.46,
    },
  },
} as const;

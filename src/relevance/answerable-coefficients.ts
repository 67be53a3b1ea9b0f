/**
 * Learned weights of support. Written by `npm run train -- --answerable`; do not edit.
 *
 * The weights predict, as log-odds, whether a pool holds the answer, from its best text. Learned from Natural Questions,
 * HotpotQA, MuSiQue, RAMDocs, XQuAD in six languages, TAT-QA and MTRAG-UN: pools of 1 to 40 texts as BM25 ranks them, with
 * the evidence, and with the evidence removed and the next texts in its place. A third of the questions is also asked in
 * search words, in two words and in one.
 */
export const ANSWERABLE = {
  bias: -6.31,
  weights: {
    grams: 2.5,
    phrase: 0.72,
    title: 1.28,
    mass: 0.44,
    bm25: 3.24,
    names: 1.19,
    numbers: 1.35,
    date: 0.77,
  },
} as const;

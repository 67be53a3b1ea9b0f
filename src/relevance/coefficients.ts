/**
 * Learned weights of the features of relevance. Written by `npm run train`; do not edit.
 *
 * Learned from Natural Questions, HotpotQA, MuSiQue and LongMemEval, as what makes the evidence most likely
 * among all that competes with it. Only ratios matter: those of the words (of units: all) sum to 10.
 *
 * On top of these, with the words as they are: cosine, with vectors of a small static model; speaker, halved,
 * for it was learned from chats with an assistant, which says next to nothing of the user, while people talk of each
 * other. Not learned: score, which counts as much as all words; rank, which settles what
 * words leave even.
 */
export const COEFFICIENTS = {
  /** Passages of documents. */
  passages: {
    grams: 2.05,
    phrase: 1,
    proximity: 1.31,
    title: 1.09,
    source: 0.33,
    date: 0.78,
    number: 0.64,
    feedback: 0.33,
    titleBridge: 1.41,
    wordBridge: 1.05,
    cosine: 0.87,
    score: 10,
    rank: 0.1,
  },
  /** Turns of a conversation: passages with speakers. */
  turns: {
    grams: 1.01,
    rarest: 0.17,
    phrase: 1.09,
    proximity: 2.06,
    title: 0.93,
    neighbours: 1.26,
    source: 0.6,
    date: 0.8,
    feedback: 0.38,
    titleBridge: 1.42,
    wordBridge: 0.28,
    speaker: 0.96,
    cosine: 1.14,
    score: 10,
    rank: 0.1,
  },
  /** Sentences and other units within chunks. */
  units: {
    bm25: 0.11,
    grams: 0.39,
    coverage: 1.24,
    phrase: 0.5,
    title: 0.36,
    date: 1.24,
    number: 1.06,
    feedback: 0.33,
    titleBridge: 0.68,
    wordBridge: 0.51,
    chunk: 2.73,
    lead: 0.83,
  },
} as const;

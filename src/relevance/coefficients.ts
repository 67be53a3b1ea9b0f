/**
 * Learned weights of the features of relevance. Written by `npm run train`; do not edit.
 *
 * The weights make the evidence most likely among its competitors in Natural Questions, HotpotQA, MuSiQue and
 * LongMemEval. Only ratios matter: the weights of the lexical features (of units: all weights) sum to 10.
 *
 * The weights of `speaker` and `cosine` come on top of that sum. `speaker` was learned together with the lexical weights.
 * In `talk` it is halved, because it was learned from chats: an assistant says almost nothing of the user, but people talk
 * of each other. `cosine` was learned with vectors of a small static model and fixed lexical weights. Not learned are
 * `score` and `rank`, the retriever's own evidence, which count a fifth more than all lexical features; and `neighbours`
 * and `source` of `talk`, whose turns depend on each other more than those of any training set.
 */
export const COEFFICIENTS = {
  /** Passages of documents. */
  passages: {
    grams: 1.72,
    phrase: 0.85,
    proximity: 1.1,
    title: 0.92,
    source: 0.27,
    date: 0.79,
    dateMatch: 1.45,
    number: 0.55,
    feedback: 0.28,
    titleBridge: 1.18,
    wordBridge: 0.89,
    cosine: 0.75,
    score: 12,
    rank: 12,
  },
  /** Turns of people among themselves. */
  talk: {
    grams: 0.91,
    rarest: 0.59,
    phrase: 0.45,
    proximity: 0.43,
    title: 0.51,
    neighbours: 1.59,
    source: 2.08,
    date: 0.41,
    dateMatch: 1.29,
    number: 0.35,
    feedback: 0.21,
    titleBridge: 0.69,
    wordBridge: 0.48,
    speaker: 0.73,
    cosine: 0.41,
    score: 12,
    rank: 12,
  },
  /** Turns of a chat with an assistant. */
  chat: {
    bm25: 0.16,
    grams: 1.41,
    rarest: 0.54,
    phrase: 0.69,
    proximity: 1.02,
    title: 0.58,
    source: 0.75,
    date: 0.72,
    dateMatch: 1.67,
    number: 0.57,
    feedback: 0.27,
    titleBridge: 1.04,
    wordBridge: 0.59,
    speaker: 2.11,
    cosine: 0.73,
    score: 12,
    rank: 12,
  },
  /** Sentences and other units within chunks. */
  units: {
    grams: 0.37,
    coverage: 1.03,
    phrase: 0.4,
    title: 0.3,
    neighbours: 0.64,
    date: 1.45,
    number: 1.08,
    feedback: 0.31,
    titleBridge: 0.85,
    wordBridge: 0.5,
    chunk: 2.28,
    lead: 0.79,
  },
} as const;

/**
 * The learned coefficients of the model of relevance (`model.ts`, `units.ts`). Written by
 * `npm run train -- --data DIR --model DIR`; do not edit.
 *
 * Learned by logistic regression on Natural Questions, HotpotQA, MuSiQue, RAMDocs, XQuAD, MTRAG-UN and TAT-QA, each with the
 * same weight: lists of 10, 20 and 40 by BM25, with and without the evidence, in the order of BM25 and in orders that were
 * made up to be as good as those of rerankers; chats on LongMemEval. Of `talk`, only the scale and the base were
 * learned: there is no talk of people with marked evidence that may be learned from. `cosine` was learned with vectors of a
 * small static model.
 */
export const COEFFICIENTS = {
  /** Passages of documents. */
  passages: {"words":{"base":-3.89,"size":-0.88,"place":0,"weights":{"grams":2.86,"coverage":2.33,"phrase":0.97,"proximity":1.28,"title":1.12,"titleBridge":1.45,"cosine":0.4}},"ranked":{"base":-2.42,"size":-0.19,"place":2.15,"weights":{"grams":1.77,"coverage":2.28,"phrase":0.73,"proximity":0.46,"title":1,"titleBridge":1.55,"cosine":0.4}}},
  /** Turns of people among themselves. */
  talk: {"words":{"base":-2.39,"size":-1.06,"place":0,"weights":{"grams":1.32,"phrase":0.65,"proximity":0.62,"neighbours":2.3,"source":3.01,"dateMatch":1.87,"number":0.51,"feedback":0.3,"wordBridge":0.7,"speaker":1.06,"cosine":0.4}},"ranked":{"base":-3.68,"size":-0.01,"place":1.5,"weights":{"grams":1.26,"phrase":0.62,"proximity":0.6,"neighbours":2.2,"source":2.88,"dateMatch":1.79,"number":0.49,"feedback":0.29,"wordBridge":0.67,"speaker":1.01,"cosine":0.4}}},
  /** Turns of a chat with an assistant. */
  chat: {"words":{"base":-1.71,"size":-1.33,"place":0,"weights":{"grams":2.45,"coverage":0.89,"phrase":1.45,"proximity":2.55,"speaker":3.11,"source":0.26,"dateMatch":0.38,"number":0.67,"feedback":0.27,"wordBridge":1.31,"cosine":0.4}},"ranked":{"base":-2.14,"size":-0.37,"place":1.78,"weights":{"grams":2.13,"coverage":1,"phrase":1.54,"proximity":2.24,"speaker":2.85,"source":0.67,"dateMatch":0.37,"number":0.75,"feedback":0.25,"wordBridge":1.29,"cosine":0.4}}},
  /** Sentences and other units within chunks. */
  units: {"base":-3.89,"size":-0.29,"length":0,"words":0.29,"beyond":0.84,"weights":{"grams":2.11,"date":1.1,"titleBridge":0.73,"neighbours":2.41}},
} as const;

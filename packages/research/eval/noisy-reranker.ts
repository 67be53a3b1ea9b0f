/**
 * A reranker of a known quality, for questions whose relevant chunks are known. Its score is
 *
 *   s = 3 (d [relevant] + z),  z normal with variance 1, from a hash of seed, question and text
 *
 * in nats. Then AUC = Φ(d / √2): the equal-variance model of signal detection (D. Green, J. Swets, "Signal Detection
 * Theory and Psychophysics", 1966). The factor makes it as sure of itself as cross-encoders are, also where it is wrong.
 */
import { createHash } from 'node:crypto';
import type { Reranker } from 'context-shaping';
import { seededNormal } from '../../../test/random.js';
import type { Case } from './data/case.js';

const NATS = 3;

/** Levels of noise: the AUC, and the distance d that gives it. An oracle has no noise. */
export const LEVELS: readonly { auc: string; distance: number }[] = [
  { auc: '1.00', distance: Number.POSITIVE_INFINITY },
  { auc: '.95', distance: 2.3262 },
  { auc: '.90', distance: 1.8124 },
  { auc: '.75', distance: 0.9539 },
  { auc: '.60', distance: 0.3583 },
  { auc: '.50', distance: 0 },
];

/** @param cases by their questions, which must be different. */
export function noisyReranker(cases: readonly Case[], distance: number, seed: number): Reranker {
  const byQuestion = new Map(cases.map((each) => [each.question, each]));
  return {
    async identify() {
      return `noisy:${distance}:${seed}`;
    },
    async rerank(query, texts) {
      const { chunks, relevant } = byQuestion.get(query) as Case;
      const scores = texts.map((text) => {
        // A text may be a part of a chunk, or have its title before it.
        const chunk =
          chunks.find((each) => each.text === text) ?? chunks.find((each) => sharesLine(each.text, text));
        const isRelevant = chunk !== undefined && relevant.includes(chunk.id);
        if (distance === Number.POSITIVE_INFINITY) return isRelevant ? 2 * NATS : -2 * NATS;
        const digest = createHash('sha256')
          .update(JSON.stringify([seed, query, text]))
          .digest();
        return NATS * ((isRelevant ? distance : 0) + seededNormal(digest.readInt32LE(0))());
      });
      return { scores, scale: 'logit', usage: { requests: 1 } };
    },
  };
}

const sharesLine = (text: string, part: string) =>
  part.split('\n').some((line) => line.length > 20 && text.includes(line.slice(0, 60)));

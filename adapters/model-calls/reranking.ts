/**
 * Scores of rerankers, checked: one for each text, in range.
 *
 *   P = 1 / (1 + e^−l), the probability of log-odds l in nats
 */
import type { ContextShapingError, Failed, Reranking } from '../../src/index.js';
import { isObject, logistic } from '../../src/internal.js';
import { serviceError } from './errors.js';

export type Scale = Reranking['scale'];
export const SCALES = ['probability', 'logit'] as const;

/** The score of one text, with the text's place in the request. */
export interface Ranked {
  index: number;
  /** Null where the service could not compute it. */
  score: number | null;
}

/** Makes the error for an answer that is not as the port or the service has it. */
export type Malformed = (value: unknown, is: string, remedy?: string) => ContextShapingError;

/** A probability may leave 0..1 so far by rounding. */
const ROUNDING = 1e-3;

/**
 * Puts scores into the order of the texts, and checks them.
 *
 * @param count the number of texts.
 * @throws ContextShapingError `service`, if a text has no score or several, or if a score is out of range.
 */
export function inOrder(
  ranked: readonly Ranked[],
  count: number,
  scale: Scale,
  malformed: Malformed,
): (number | Failed)[] {
  const ordered = ranked.toSorted((a, b) => a.index - b.index);
  if (ordered.length !== count || ordered.some(({ index }, place) => index !== place)) {
    const indexes = ranked.map(({ index }) => index).join(', ');
    throw malformed(indexes.slice(0, 80), `does not score each of ${count} texts once`);
  }
  return ordered.map(({ score }) => checkedScore(score, scale, malformed));
}

function checkedScore(score: number | null, scale: Scale, malformed: Malformed): number | Failed {
  if (score === null) return { failure: 'The reranker reports no score for this text.' };
  if (!Number.isFinite(score)) throw malformed(score, 'is not a finite score');
  if (scale === 'logit' || (score >= 0 && score <= 1)) return score;
  if (score < -ROUNDING || score > 1 + ROUNDING) {
    const remedy = 'Set the option scale to "logit" if the model reports log-odds or other unbounded scores.';
    throw malformed(score, 'is a score outside of 0..1, and the scale is "probability"', remedy);
  }
  return Math.min(1, Math.max(0, score));
}

/**
 * The probabilities of an answer of a reranker, or failures.
 *
 * @throws ContextShapingError `service`, if the answer does not have the form of the port.
 */
export function probabilitiesIn(answer: unknown, count: number): (number | Failed)[] {
  const malformed = malformedBy('rerank');
  const { scores, scale } = (isObject(answer) ? answer : {}) as Partial<Reranking>;
  if (!SCALES.includes(scale as Scale)) throw malformed(scale, 'must have the scale probability or logit');
  if (!Array.isArray(scores) || scores.length !== count) {
    throw malformed(Array.isArray(scores) ? scores.length : scores, `must return ${count} scores`);
  }
  return scores.map((score: number | Failed | null) => {
    if (typeof (score as Partial<Failed> | null)?.failure === 'string') return score as Failed;
    if (typeof score !== 'number') throw malformed(score, 'is neither a score nor a failure');
    const checked = checkedScore(score, scale as Scale, malformed);
    return typeof checked === 'number' && scale === 'logit' ? logistic(checked) : checked;
  });
}

/** The errors of an object that is no HTTP service. */
export const malformedBy =
  (name: string): Malformed =>
  (value, is, remedy = `Correct what ${name} returns.`) =>
    serviceError(name, value, is, remedy);

/** The answer for no texts: nothing is asked. */
export const nothingToRank = (scale: Scale): Reranking => ({ scores: [], scale, usage: { requests: 0 } });

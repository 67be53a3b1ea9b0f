/**
 * Scores as services give them: one list's scores in the range and the spread of another kind of service. All keep
 * the order.
 *
 *   share       = (score − least) / (greatest − least)          1 throughout where all are the same
 *   cosine      = .6 + .3 share                                 of embeddings, which are seldom far apart
 *   logit       = 10 share − 6                                  of a cross-encoder
 *   probability = 1 / (1 + exp(−logit))                         of a cross-encoder behind a sigmoid
 *   reciprocal  = 1 / (60 + rank), rank from 1                  of reciprocal rank fusion
 *
 * Source of the last: G. Cormack et al., "Reciprocal rank fusion outperforms Condorcet and individual rank learning
 * methods", 2009.
 */
type ScoreShape = (scores: readonly number[]) => number[];

const asGiven: ScoreShape = (scores) => [...scores];

function shares(scores: readonly number[]): number[] {
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const score of scores) {
    least = Math.min(least, score);
    greatest = Math.max(greatest, score);
  }
  return scores.map((score) => (greatest > least ? (score - least) / (greatest - least) : 1));
}

const cosines: ScoreShape = (scores) => shares(scores).map((share) => 0.6 + 0.3 * share);
const logits: ScoreShape = (scores) => shares(scores).map((share) => 10 * share - 6);
const probabilities: ScoreShape = (scores) => logits(scores).map((logit) => 1 / (1 + Math.exp(-logit)));
const reciprocalRanks: ScoreShape = (scores) => scores.map((_, place) => 1 / (61 + place));

/** By name. Scores are to be given greatest first. */
export const SCORE_SHAPES = {
  'scores as given': asGiven,
  cosines,
  'reciprocal ranks': reciprocalRanks,
  probabilities,
  logits,
} as const satisfies Readonly<Record<string, ScoreShape>>;

/** Statistics and simple rivals of measurements, shared with the evaluation of this package itself; not an export. */
export {
  type Estimate,
  estimate,
  estimateOf,
  lessOf,
  mean,
  quantile,
  type Resampled,
  resampledMeans,
} from './bootstrap.js';
export { type LeastEnough, leastBudget } from './least-budget.js';
export { seededRandom, shuffled } from './random.js';
export {
  descending,
  filledWithSentences,
  type PlainSentence,
  plainSentencesOf,
  plainWordsOf,
  priorOfPlace,
  priorsOfScores,
  type Rarity,
  rarityAmong,
  sentenceScores,
} from './sentences.js';

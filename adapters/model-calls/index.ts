/**
 * The common parts of adapters that call models: retries, concurrency, tokens, scores. No export of the package.
 */
export { batchesOf, concurrently, turns } from './concurrency.js';
export { checkMethods, invalidOption, serviceError, unreachable } from './errors.js';
export { inheriting, withFastFailures } from './fail-fast.js';
export {
  inOrder,
  nothingToRank,
  type ObjectOptions,
  objectOptions,
  objectReranker,
  probabilitiesIn,
  type Ranked,
  SCALES,
  type Scale,
} from './reranking.js';
export {
  type Attempt,
  isPermanent,
  LONGEST_PAUSE_MILLISECONDS,
  mayBeReachedLater,
  maySucceedLater,
  pauseAfter,
  statusOf,
  timeoutMs,
  wasTooLate,
  withRetries,
} from './retries.js';
export { UsageCounter } from './usage-counter.js';

/** The common parts of adapters that call models: HTTP, retries, concurrency, tokens, scores. No export of the package. */
export { Endpoint, messageIn, type Refusal, refusalOf, unknownModel } from './answers.js';
export { batchesOf, concurrently, inBatches, turns, UsageCounter } from './calls.js';
export { checkMethods, invalidOption, serviceError, unreachable } from './errors.js';
export { inheriting, withFastFailures } from './fail-fast.js';
export { type HttpOptions, httpOptions, JsonService } from './json-service.js';
export {
  inOrder,
  malformedBy,
  nothingToRank,
  probabilitiesIn,
  type Ranked,
  SCALES,
  type Scale,
} from './reranking.js';
export { type Attempt, isPermanent, statusOf, timeoutMs, withRetries } from './retries.js';

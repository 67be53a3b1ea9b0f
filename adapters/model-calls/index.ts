/**
 * The common parts of adapters that call models: chat models, retries, concurrency, tokens. No export of the package.
 */
export {
  type ChatAnswer,
  type ChatModelLike,
  chatModelFailed,
  checkChatModel,
  fenced,
  finalFailure,
  isPermanent,
  nameOf,
  plain,
  statusOf,
  THOUGHT,
  textOf,
  unreachable,
} from './chat-model.js';
export { type ChatFrame, digestOfFrame, SAMPLE_MESSAGE, withoutControlTokens } from './chat-template.js';
export { concurrently, type Turns, turns } from './concurrency.js';
export { invalidOption, serviceError } from './errors.js';
export { failingFast, inheriting, withFastFailures } from './fail-fast.js';
export { freedBy, type InMemory, inProcess, type NextToken, type TokenEngine } from './in-process.js';
export {
  type Attempt,
  LONGEST_PAUSE_MILLISECONDS,
  mayBeReachedLater,
  maySucceedLater,
  pauseAfter,
  wasTooLate,
  withRetries,
} from './retries.js';
export { BYTES, bytesOfName, continuationStart, LETTERS, type TokenLogprob, Transcript } from './tokens.js';
export { UsageCounter } from './usage-counter.js';

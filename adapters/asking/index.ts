/** What asking outside services has in common: chat models, and when to try again. */
export {
  checkChatModel,
  fenced,
  isRefused,
  nameOf,
  plain,
  refused,
  statusOf,
  textOf,
} from './chat-model.js';
export {
  LONGEST_PAUSE_MILLISECONDS,
  mayBeReachedLater,
  maySucceedLater,
  pause,
  pauseAfter,
  wasTooLate,
} from './retries.js';

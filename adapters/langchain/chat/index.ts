/** Chat models of LangChain: what all their calls share, and judges. */
export { chatJudge } from './chat-judge.js';
export {
  type ChatModelLike,
  chatModelFailed,
  checkChatModel,
  fenced,
  finalFailure,
  nameOf,
  plain,
  textOf,
} from './chat-model.js';
export type { ChatJudgeOptions } from './judging.js';
export { type ListJudgeOptions, listJudge } from './list-judge.js';

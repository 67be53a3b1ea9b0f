/** Chat models of LangChain: what all their calls share, and judges. */
export { chatJudge } from './chat-judge.js';
export { type ChatModelLike, fenced, nameOf, plain, textOf } from './chat-model.js';
export { askingOf, type ChatJudgeOptions, chatOptions, objectIn, shown } from './judging.js';
export { type ListJudgeOptions, listJudge } from './list-judge.js';

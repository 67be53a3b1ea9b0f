/** The part of corrective retrieval that LangChain's compressor loads at once: no grader that asks a chat model. */
export type { CragOptions } from '../crag-options.js';
export { checkCragOptions } from '../options.js';

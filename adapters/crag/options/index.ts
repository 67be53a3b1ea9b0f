/** What LangChain's compressor needs of corrective retrieval before a call: it loads no grader that asks a chat model. */
export type { CragOptions } from '../crag-options.js';
export { checkCragOptions } from '../options.js';

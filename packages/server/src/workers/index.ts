/** Requests as bytes, shaped by worker threads: shared code of the service and of batches; not an export. */

export { countShaping } from './counts.js';
export type { Answer, Done, Ends, Facts, Job, OfBatch, OnStage, Run, Setup } from './jobs.js';
export { jsonOptionsSchema } from './json-options.js';
export { type LineId, splitId } from './line-id.js';
export { optimizeRequestJsonSchema, optimizeResponseJsonSchema } from './optimize/optimize.js';
export {
  CLIENT_GONE,
  failureOf,
  HttpProblem,
  internalProblem,
  PROBLEM_JSON,
  type Problem,
  problem,
} from './problems.js';
export { createPerform, type WorkerOptions } from './setup.js';
export { startThreads, type Threads } from './threads.js';

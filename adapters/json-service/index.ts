/** JSON over HTTP for adapters that call servers: time limits, retries, checked answers, errors with a remedy. No export of the package. */

export { Endpoint, messageIn, type Refusal, refusalOf, unknownModel } from './answers.js';
export { inBatches } from './batches.js';
export { addressOf } from './http-options.js';
export { type HttpOptions, httpOptions, JsonService } from './json-service.js';

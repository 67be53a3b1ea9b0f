/** JSON over HTTP for adapters that call servers: time limits, retries, checked answers, errors with a remedy. No export of the package. */
export { inBatches, objectionOf } from './batches.js';
export { Endpoint, unknownModel } from './endpoint.js';
export { addressOf } from './http-options.js';
export { type HttpOptions, httpOptions, JsonService } from './json-service.js';
export { messageIn, parse, type Refusal, refusalOf } from './response-body.js';

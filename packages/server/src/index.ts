/** Shaping as a service over HTTP. */
export { type ServiceOptions, serviceOptionsSchema } from './http/options.js';
export { createService, type Service } from './http/service.js';
export type { Setup } from './workers/jobs.js';

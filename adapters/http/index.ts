/** Shaping as a service over HTTP. */

export type { Setup } from '../workers/index.js';
export { type ServiceOptions, serviceOptionsSchema } from './options.js';
export { createService, type Service } from './service.js';

/** Shaping as a service over HTTP. */
export { type ServiceOptions, serviceOptionsSchema } from './options.js';
export { createService, type Service } from './service.js';
export type { Setup } from './work.js';

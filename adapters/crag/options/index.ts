/** A door of its own: a compressor checks these options, and loads the rest of corrective retrieval when it is used. */
export type { CragOptions } from '../crag-options.js';
export { checkCragOptions } from './options.js';

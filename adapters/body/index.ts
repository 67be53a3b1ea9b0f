/** The JSON that the command line and the HTTP service are asked with, and complaints in its terms. */
export { type Body, type Elsewhere, readBody } from './body.js';
export { isObject, type JsonObject } from './objects.js';
export { inReadersTerms } from './readers-terms.js';

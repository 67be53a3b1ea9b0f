/**
 * For makers of adapters and programs: the checks, errors, waits and files that several packages share. A name is here if
 * at least two packages use it.
 *
 * @packageDocumentation
 */
export {
  beginningOf,
  builtIns,
  CHOICES,
  defined,
  digestOf,
  invalidInput,
  isObject,
  type JsonObject,
  LIBRARY,
  loadTokenCounter,
  messageOf,
  nearest,
  packVector,
  parseJson,
  parseOptions,
  pinTest,
  rethrowControlFlow,
  tellingOf,
  within,
} from '../../src/internal.js';
export { invalidOption, serviceError } from '../model-calls/index.js';
export { ifPresent, makeFolder, openOwn, readOwn } from '../own-file/index.js';
export { fieldsAsWritten, readShapeRequest } from '../shape-request/index.js';

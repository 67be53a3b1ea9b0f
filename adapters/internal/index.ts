/**
 * Names that the packages of this repository use besides the public ones: `context-shaping/internal`. They depend on the
 * exact version of this package, because no promise is made about any of these names: they may change in every release.
 */
export {
  CHOICES,
  checkAnswer,
  condensedIndex,
  cosines,
  digestOf,
  FLAG_KINDS,
  gram,
  importOptional,
  invalidInput,
  isAscii,
  isObject,
  type JsonObject,
  LIBRARY,
  linkage,
  loadTokenCounter,
  type Merge,
  maximalMarginalRelevance,
  mergeOptions,
  messageOf,
  optionsSchema,
  orAborted,
  pack,
  packVector,
  parseJson,
  parseOptions,
  resolveOptions,
  rethrowControlFlow,
  sealReport,
  unitsOf,
  withDeadline,
} from '../../src/internal.js';
export {
  applyFlags,
  decimal,
  Ends,
  EXIT,
  exitCodesHelp,
  flagNamed,
  type Io,
  newProgram,
  type OptionFlags,
  type Progress,
  parseJson as parseJsonFile,
  printable,
  readText,
  run,
  start,
  startProgress,
  UsageError,
  wholeNumber,
  why,
  withHelpAfterErrors,
  withOptionFlags,
  write,
} from '../cli/index.js';
export { keepOutput, RECALL_OUTPUT_TOOL, readOutput } from '../output-store/index.js';
export { openOwn } from '../own-file/index.js';
export { fieldsAsWritten, readShapeRequest } from '../shape-request/index.js';
export { isRead, type ToolNames, toolTest } from '../tool-calls/index.js';

/** Shared code of all programs of this repository: their streams, flags, errors and exit codes; not an export. */
export { Ends, EXIT, exitCodesHelp, UsageError } from './errors.js';
export { readText, why } from './files.js';
export {
  applyFlags,
  decimal,
  flagNamed,
  type OptionFlags,
  wholeNumber,
  withOptionFlags,
} from './flags.js';
export { parseJson } from './parse-json.js';
export { newProgram, run, start, withHelpAfterErrors } from './run.js';
export { type Io, type Progress, printable, startProgress, write } from './terminal.js';

/**
 * For makers of programs on the command line: the streams, flags, errors and exit codes that all programs of this
 * repository share. No promise is made about these names: they may change in every release.
 */
export { demoPool } from './demo-command.js';
export { Ends, EXIT, exitCodesHelp, UsageError } from './errors.js';
export { checkWritable, pipeAt, readInput, readJson, readText, writeText } from './files.js';
export {
  applyFlags,
  decimal,
  FLAGS,
  flagNamed,
  type OptionFlags,
  wholeNumber,
  withOptionFlags,
  withShapeFlags,
} from './flags.js';
export { parseJson as parseJsonFile } from './parse-json.js';
export { newProgram, start, withHelpAfterErrors } from './run.js';
export { readShapeInput, type ShapeFlags } from './shape-command.js';
export {
  type Io,
  type Progress,
  printable,
  startProgress,
  widthOf,
  write,
} from './terminal.js';

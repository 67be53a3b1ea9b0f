/** `context-shaping-devtools`: its commands with their flags and help texts. */
import { type Command, Option } from 'commander';
import { exitCodesHelp, type Io, newProgram, withHelpAfterErrors, withShapeFlags } from 'context-shaping/cli';
import { addEvaluate } from './cli/evaluate-program.js';
import { EXPLAIN_FORMATS, type ExplainFlags, explainCommand } from './cli/explain-command.js';
import { addInspect } from './cli/inspect-command.js';
import { addLockfileCommands } from './cli/lockfile-commands.js';

const EXPLAIN_HELP = `
FILE is one of these:
  the input of context-shaping shape  it is shaped first; then everything below is found by shaping again
  a context lockfile with texts       the same, with the recorded answers of services
  { chunks, report } or a report      without texts, nothing can be shaped again: only the report is explained
  -                                   standard input, with one of these

For each ID: the reason and the smallest change that brings the chunk back, its place among all chunks, the chunks that
had an advantage, and other changes: a pin, or another value of budget.maxTokens or k.
Without an ID: the first line for each evicted chunk.

Examples:
  $ context-shaping-devtools explain retrieved.json guide-3 --budget 1500
  $ context-shaping shape retrieved.json | context-shaping-devtools explain - guide-3
${exitCodesHelp}`;

/** The program. It throws where commander would exit, and writes to the streams of `io`. */
export function makeProgram(io: Io): Command {
  const description = 'See, explain, measure and lock contexts that context-shaping made.';
  const program = newProgram('context-shaping-devtools', description, io).addHelpText('after', exitCodesHelp);

  withShapeFlags(program.command('explain'))
    .summary('say why a chunk was evicted, and what would bring it back')
    .description('Says what became of chunks, and what would change it.')
    .argument('<file>', 'JSON file; -: standard input')
    .argument('[ids...]', 'ids of chunks; absent: all evicted ones, briefly')
    .addOption(new Option('--format <name>', 'output format').choices(EXPLAIN_FORMATS).default('text'))
    .addHelpText('after', EXPLAIN_HELP)
    .action((file: string, ids: string[], _flags, command: Command) =>
      explainCommand(file, ids, command.optsWithGlobals<ExplainFlags>(), io),
    );

  addInspect(program, io);
  addEvaluate(program, io);
  addLockfileCommands(program, io);
  return withHelpAfterErrors(program);
}

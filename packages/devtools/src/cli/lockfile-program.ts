/** `context-shaping-devtools record`, `replay` and `diff` with their flags and help texts. */
import { type Command, Option } from 'commander';
import type { Io } from 'context-shaping/cli';
import { exitCodesHelp, withShapeFlags } from 'context-shaping/cli';
import {
  DIFF_FORMATS,
  diffCommand,
  type RecordFlags,
  type ReplayFlags,
  recordCommand,
  replayCommand,
} from './lockfile-commands.js';

const RECORD_HELP = `
The input is that of context-shaping shape. The lockfile has the texts, the options, the release and the report. Commit it.

Examples:
  $ context-shaping-devtools record retrieved.json --budget 1500   # writes retrieved.context.json
  $ context-shaping-devtools record retrieved.json --hashed --to contexts/prices.context.json
`;

const REPLAY_HELP = `
Shapes the recorded inputs again, without any service, and compares. Exits with 1 if a context changed, and shows which
chunks changed, and which recorded values: the release, an option, a service, the question, or a chunk.

The default export of the --setup module is { options, services }: options to change, functions that a lockfile cannot
have, and services to ask in place of the recorded answers.

Examples:
  $ context-shaping-devtools replay contexts/*.context.json
  $ context-shaping-devtools replay contexts/*.context.json --update
`;

const DIFF_HELP = `
Shows which recorded values differ, and which chunks came, went, moved or were cut differently. Exits with 1 if the
contexts differ.

Examples:
  $ context-shaping-devtools diff before.context.json after.context.json
  $ context-shaping-devtools diff before.context.json after.context.json --format json | jq .differences
`;

export function addLockfileCommands(program: Command, io: Io): void {
  withShapeFlags(program.command('record'))
    .summary('record a context in a lockfile')
    .description('Shapes a retrieval result, and writes a lockfile with all that the context came from.')
    .argument('[file]', 'JSON file; absent or -: standard input')
    .option(
      '--to <file>',
      'the lockfile; -: standard output; absent: the name of the input with .context.json',
    )
    .option('--hashed', 'hashes in place of texts and metadata')
    .addHelpText('after', RECORD_HELP + exitCodesHelp)
    .action((file: string | undefined, _flags, command: Command) =>
      recordCommand(file, command.optsWithGlobals<RecordFlags>(), io),
    );

  program
    .command('replay')
    .summary('check that recorded contexts are unchanged')
    .description('Shapes recorded contexts again, and names what changed.')
    .argument('<files...>', 'lockfiles')
    .option('--update', 'write the changed lockfiles, and exit with 0')
    .option('--setup <module>', 'module whose default export is { options, services }')
    .addHelpText('after', REPLAY_HELP + exitCodesHelp)
    .action((files: string[], _flags, command: Command) =>
      replayCommand(files, command.optsWithGlobals<ReplayFlags>(), io),
    );

  program
    .command('diff')
    .summary('compare two recorded contexts')
    .description('Compares two lockfiles: the recorded values and the chunks that changed.')
    .argument('<from>', 'lockfile')
    .argument('<to>', 'lockfile')
    .addOption(new Option('--format <name>', 'output format; absent: text').choices(DIFF_FORMATS))
    .addHelpText('after', DIFF_HELP + exitCodesHelp)
    .action((from: string, to: string, _flags, command: Command) =>
      diffCommand([from, to], command.optsWithGlobals(), io),
    );
}

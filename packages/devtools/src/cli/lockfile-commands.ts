/** `context-shaping-devtools record`, `replay` and `diff`: contexts under version control. */
import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import { ContextShapingError, createShaper } from 'context-shaping';
import {
  checkWritable,
  Ends,
  EXIT,
  exitCodesHelp,
  type Io,
  readJson,
  readShapeInput,
  type ShapeFlags,
  widthOf,
  withShapeFlags,
  write,
  writeText,
} from 'context-shaping/cli';
import { fieldsAsWritten } from 'context-shaping/kit';
import {
  type ContextLockfile,
  diffContexts,
  formatDiff,
  formatLockfile,
  type OpenOptions,
  parseLockfile,
  recordContext,
  replayContext,
} from '../lockfile/index.js';
import { loadSetup } from './load-setup.js';

const DIFF_FORMATS = ['text', 'json'] as const;

const NAME_A_LOCKFILE = 'Name a lockfile that context-shaping-devtools record wrote.';

interface RecordFlags extends Omit<ShapeFlags, 'format'> {
  to?: string;
}

async function recordCommand(file: string | undefined, flags: RecordFlags, io: Io): Promise<void> {
  const to =
    flags.to ?? (file === undefined || file === '-' ? '-' : `${basename(file, '.json')}.context.json`);
  if (to !== '-') await checkWritable(to, 'Name another file with --to.');
  const { input, options, paths, flagOf } = await readShapeInput(file, flags, io);
  let lockfile: ContextLockfile;
  try {
    lockfile = await recordContext(createShaper(options).session(input));
  } catch (error) {
    throw fieldsAsWritten(error, paths, flagOf);
  }
  const text = formatLockfile(lockfile);
  if (to === '-') await write(io.stdout, text);
  else {
    await writeText(to, text, 'Name another file with --to.');
    await write(io.stderr, `Wrote ${to}.\n`);
  }
}

interface ReplayFlags {
  update?: true;
  setup?: string;
}

/** @throws Ends if a context changed and `--update` is not given. */
async function replayCommand(
  files: readonly string[],
  { update, setup }: ReplayFlags,
  io: Io,
): Promise<void> {
  const options =
    setup && ((await loadSetup(setup, 'an object of options to change')) as OpenOptions['options']);
  let changed = 0;
  for (const file of files) {
    const { isEqual, changes, lockfile } = await naming(file, async () =>
      replayContext(await readLockfile(file, io), { ...(options && { options }), signal: io.signal }),
    );
    if (isEqual) {
      await write(io.stdout, `${file}: equal\n`);
      continue;
    }
    changed += 1;
    const text = formatDiff(changes, { width: widthOf(io.stdout) });
    await write(io.stdout, `${file}: ${update ? 'updated' : 'changed'}\n\n${text}\n\n`);
    if (update) await writeText(file, formatLockfile(lockfile), 'Check the permissions of the file.');
  }
  if (changed > 0 && !update) {
    throw new Ends(
      EXIT.failed,
      `${changed} of ${files.length} contexts changed. To accept the changes, run the command with --update.`,
    );
  }
}

/** @throws Ends if the contexts differ. */
async function diffCommand(
  [from, to]: readonly [string, string],
  { format = 'text' }: { format?: (typeof DIFF_FORMATS)[number] },
  io: Io,
): Promise<void> {
  const [a, b] = [await readLockfile(from, io), await readLockfile(to, io)];
  const diff = diffContexts(a, b);
  const text = format === 'json' ? JSON.stringify(diff) : formatDiff(diff, { width: widthOf(io.stdout) });
  await write(io.stdout, `${text}\n`);
  if (!diff.isEqual) throw new Ends(EXIT.failed, 'The contexts differ.');
}

async function readLockfile(file: string, { signal }: Io): Promise<ContextLockfile> {
  const value = await readJson(file, NAME_A_LOCKFILE, signal);
  return naming(file, async () => parseLockfile(value as object));
}

/** Errors about a lockfile name its file. */
async function naming<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!ContextShapingError.isInstance(error)) throw error;
    throw error.renamed((field) => (field.startsWith('lockfile') ? field.replace('lockfile', file) : field));
  }
}

const RECORD_HELP = `
The input is that of context-shaping shape. The lockfile has the texts, the options, the release and the report. Commit it.

Examples:
  $ context-shaping-devtools record retrieved.json --budget 1500   # writes retrieved.context.json
  $ context-shaping-devtools record retrieved.json --to contexts/prices.context.json
`;

const REPLAY_HELP = `
Shapes the recorded inputs again, without any service, and compares. Exits with 1 if a context changed, and shows which
chunks changed, and which recorded values: the release, an option, a service, the question, or a chunk.

The default export of the --setup module is an object of options to change, with the functions that a lockfile cannot have.

Examples:
  $ context-shaping-devtools replay contexts/*.context.json
  $ context-shaping-devtools replay contexts/*.context.json --update
`;

const DIFF_HELP = `
Shows which recorded values differ, and which chunks came, went or were cut differently. Exits with 1 if the
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
    .option('--setup <module>', 'module whose default export are options to change')
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

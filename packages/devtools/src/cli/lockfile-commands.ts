/** `context-shaping-devtools record`, `replay` and `diff`: contexts under version control. */
import { basename } from 'node:path';
import { ContextShapingError, createShaper } from 'context-shaping';
import {
  checkWritable,
  Ends,
  EXIT,
  type Io,
  readJson,
  readShapeInput,
  type ShapeFlags,
  UsageError,
  widthOf,
  write,
  writeText,
} from 'context-shaping/cli';
import { fieldsAsWritten } from 'context-shaping/kit';
import {
  type ContextLockfile,
  diffContexts,
  formatDiff,
  formatLockfile,
  parseLockfile,
  type ReplayOptions,
  recordContext,
  replayContext,
} from '../lockfile/index.js';
import { loadSetup } from './load-setup.js';

export const DIFF_FORMATS = ['text', 'json'] as const;

const NAME_A_LOCKFILE = 'Name a lockfile that context-shaping-devtools record wrote.';

export interface RecordFlags extends Omit<ShapeFlags, 'format'> {
  to?: string;
  hashed?: true;
}

export async function recordCommand(file: string | undefined, flags: RecordFlags, io: Io): Promise<void> {
  const to =
    flags.to ?? (file === undefined || file === '-' ? '-' : `${basename(file, '.json')}.context.json`);
  if (to !== '-') await checkWritable(to, 'Name another file with --to.');
  const { input, options, paths, flagOf } = await readShapeInput(file, flags, io);
  let lockfile: ContextLockfile;
  try {
    lockfile = await recordContext(createShaper(options).session(input), {
      texts: flags.hashed ? 'hashed' : 'full',
    });
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

export interface ReplayFlags {
  update?: true;
  setup?: string;
}

/** @throws Ends if a context changed and `--update` is not given. */
export async function replayCommand(
  files: readonly string[],
  { update, setup }: ReplayFlags,
  io: Io,
): Promise<void> {
  const given = setup === undefined ? {} : await readSetup(setup);
  let changed = 0;
  for (const file of files) {
    const { isEqual, changes, lockfile } = await naming(file, async () =>
      replayContext(await readLockfile(file, io), { ...given, signal: io.signal }),
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
export async function diffCommand(
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

/** Options and services that a lockfile does not have. */
async function readSetup(file: string): Promise<Pick<ReplayOptions, 'options' | 'services'>> {
  const form = '{ options, services } as default, with one of the two or both';
  const given = await loadSetup(file, form);
  if (Object.keys(given).every((key) => key === 'options' || key === 'services')) return given;
  throw new UsageError(`${file} must export ${form}.`);
}

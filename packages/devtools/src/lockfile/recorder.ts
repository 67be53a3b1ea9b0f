import { ContextShapingError, type ShapingReport } from 'context-shaping';
import { writeOwn } from 'context-shaping/internal';
import { digestOf, makeFolder } from 'context-shaping/kit';
import { fileSystem } from './file-system.js';
import { type RecordOptions, recordContext } from './record.js';
import { formatLockfile } from './text.js';
import type { ContextLockfile } from './types.js';

export interface ContextRecorderOptions extends Pick<RecordOptions, 'texts'> {
  /** Folder of the lockfiles. It is created. Give this or `write`. */
  folder?: string | undefined;
  /** Gets each lockfile, and the name of its file. */
  write?: ((lockfile: ContextLockfile, name: string) => void | Promise<void>) | undefined;
}

/**
 * An observer for the option `onReport` of shapers and of adapters: it records the context of each report. The name of a
 * file is the beginning of the question and a hash of the question, so that a question has one file. The lockfile of a
 * report that unites several shapings has no texts: it can be compared, but not replayed.
 *
 * @returns a function that resolves when the lockfile is written. It rejects with the error of the file system or of
 *   `write`: the shaper then returns its result with the degradation `observer-failed`.
 * @throws ContextShapingError `invalid-options`, if neither or both of `folder` and `write` are given.
 */
export function contextRecorder({
  folder,
  write,
  texts,
}: ContextRecorderOptions): (report: ShapingReport) => Promise<void> {
  if ((folder === undefined) === (write === undefined)) {
    throw new ContextShapingError('invalid-options', {
      field: folder === undefined ? 'folder' : 'write',
      value: folder ?? write,
      is: folder === undefined ? 'is missing, and so is write' : 'is given, and folder is given too',
      remedy: 'Give folder or write.',
    });
  }
  const store = write ?? ((lockfile, name) => writeInto(folder as string, name, lockfile));
  return async (report) => {
    const lockfile = await recordContext(report, { texts });
    await store(lockfile, nameOf(report.query));
  };
}

const LONGEST_NAME = 40;
const HASH = 8;

/** `when-did-the-bridge-open-1f2e3d4c.context.json`. */
function nameOf(question: string): string {
  const words = question.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const start = words.join('-').slice(0, LONGEST_NAME).replace(/-$/, '');
  return `${[start, digestOf(question).slice(0, HASH)].filter(Boolean).join('-')}.context.json`;
}

async function writeInto(folder: string, name: string, lockfile: ContextLockfile): Promise<void> {
  const { path } = fileSystem('folder', folder);
  await makeFolder(folder);
  await writeOwn(path.join(folder, name), formatLockfile(lockfile));
}

import type { ShapingReport } from 'context-shaping';
import { writeOwn } from 'context-shaping/internal';
import { digestOf, makeFolder } from 'context-shaping/kit';
import { fileSystem } from './file-system.js';
import { type RecordOptions, recordContext } from './record.js';
import { formatLockfile } from './text.js';

export interface ContextRecorderOptions extends Pick<RecordOptions, 'texts'> {
  /** Folder of the lockfiles. It is created. */
  folder: string;
}

/**
 * An observer for the option `onReport` of shapers and of adapters: it records the context of each report. The name of a
 * file is the beginning of the question and a hash of the question, so that a question has one file. The lockfile of a
 * report that unites several shapings has no texts: it can be compared, but not replayed.
 *
 * @returns a function that resolves when the lockfile is written. It rejects with the error of the file system: the shaper
 *   then returns its result with the degradation `observer-failed`.
 * @throws ContextShapingError `missing-dependency`, where there is no file system.
 */
export function contextRecorder({
  folder,
  texts,
}: ContextRecorderOptions): (report: ShapingReport) => Promise<void> {
  const { path } = fileSystem('folder', folder);
  return async (report) => {
    const lockfile = await recordContext(report, { texts });
    await makeFolder(folder);
    await writeOwn(path.join(folder, nameOf(report.query)), formatLockfile(lockfile));
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

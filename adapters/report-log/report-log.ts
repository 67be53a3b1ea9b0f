import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { ContextShapingError, reportLines, type ShapingReport } from '../../src/index.js';
import { parseOptions } from '../../src/internal.js';
import { makeFolder } from '../own-file/index.js';
import { rotate } from './rotate.js';

const optionsSchema = z.strictObject({
  file: z.string().min(1).default('retrieval-performance.log'),
  maxBytes: z
    .int()
    .min(1)
    .default(10 * 2 ** 20),
  keep: z.int().min(1).default(5),
});

export interface ReportLogOptions {
  /** Path, relative to the working directory; folders are made. A pipe needs a reader. Default `retrieval-performance.log`. */
  file?: string | undefined;
  /** The file is rotated once it has this many bytes, so it may exceed them by one report. Default 10 MiB. */
  maxBytes?: number | undefined;
  /** Number of rotated files to keep, at least 1. Default 5. */
  keep?: number | undefined;
}

/**
 * Writes reports to a log, for the option `onReport`. It writes the JSON lines of `reportLines`, with the lines of one
 * report together. They contain ids of chunks and the query, but no passages.
 *
 * A full file is renamed to `<file>.1`, the next one to `<file>.2`: the highest number is the latest. Several processes
 * may write to one log on a local disk if all use the same options: each report is one append, which a local disk does not
 * split. Network file systems do not guarantee that.
 *
 * @returns a function that resolves when the report is in the file. It rejects with the error of the file system, or
 *   with ContextShapingError `service` if the disk took only a part. The shaper then returns its result with the
 *   degradation `observer-failed`.
 * @throws ContextShapingError `invalid-options`.
 */
export function reportLog(options: ReportLogOptions = {}): (report: ShapingReport) => Promise<void> {
  const { file: path, maxBytes, keep } = parseOptions(optionsSchema, options);
  const file = resolve(path);
  let last: Promise<void> = Promise.resolve();
  return (report) => {
    const lines = Buffer.from(`${reportLines(report).join('\n')}\n`);
    // Writes one report after another, in the order of the calls.
    const written = last.then(() => append(file, lines, maxBytes, keep));
    last = written.catch(() => {});
    return written;
  };
}

async function append(file: string, lines: Buffer, maxBytes: number, keep: number): Promise<void> {
  await makeFolder(dirname(file));
  const { O_APPEND, O_CREAT, O_WRONLY, O_NONBLOCK = 0 } = constants;
  // A pipe without a reader would wait for one.
  const handle = await open(file, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK);
  let full: number | undefined;
  try {
    const { bytesWritten } = await handle.write(lines);
    if (bytesWritten < lines.length) {
      throw new ContextShapingError('service', {
        field: 'file',
        value: file,
        is: `received only ${bytesWritten} of ${lines.length} bytes`,
        remedy: 'Free space on the disk.',
      });
    }
    const { size, ino } = await handle.stat();
    if (size >= maxBytes) full = ino;
  } finally {
    await handle.close();
  }
  if (full !== undefined) await rotate(file, full, keep);
}

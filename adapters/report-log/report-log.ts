import { mkdir, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { ContextShapingError, reportLines, type ShapingReport } from '../../src/index.js';
import { parseOptions } from '../../src/internal.js';
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
  /** Path, from the working directory of now; folders are made. Default `retrieval-performance.log`. */
  file?: string | undefined;
  /** Once the file has this many bytes it is put aside; so it may exceed them by one report. Default 10 MiB. */
  maxBytes?: number | undefined;
  /** How many files that were put aside stay, at least 1. Default 5. */
  keep?: number | undefined;
}

/**
 * Writes reports to a log, for `onReport`: the JSON lines of `reportLines`, those of one report together. They name
 * chunks by id and hold the query, but no passage.
 *
 * A full file is put aside as `<file>.1`, the next one as `<file>.2`: the highest number is the latest. Any number
 * of processes may write to one log on a local disk, if all give the same options: each report is one write at the end
 * of the file, which is not divided there. Network file systems do not promise that.
 *
 * @returns a function that resolves when the report is in the file. It rejects with the error of the file system, or
 *   with ContextShapingError `service` if the disk took only a part; the shaper then hands on its result with the
 *   degradation `observer-failed`.
 * @throws ContextShapingError `invalid-options`.
 */
export function reportLog(options: ReportLogOptions = {}): (report: ShapingReport) => Promise<void> {
  const { file: path, maxBytes, keep } = parseOptions(optionsSchema, options);
  const file = resolve(path);
  let last: Promise<void> = Promise.resolve();
  return (report) => {
    const lines = Buffer.from(`${reportLines(report).join('\n')}\n`);
    // One after the other, in the order of the calls.
    const written = last.then(() => append(file, lines, maxBytes, keep));
    last = written.catch(() => {});
    return written;
  };
}

async function append(file: string, lines: Buffer, maxBytes: number, keep: number): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const handle = await open(file, 'a');
  let full: number | undefined;
  try {
    const { bytesWritten } = await handle.write(lines);
    if (bytesWritten < lines.length) {
      throw new ContextShapingError('service', {
        field: 'file',
        value: file,
        is: `took ${bytesWritten} of ${lines.length} bytes`,
        remedy: 'Make room on the disk.',
      });
    }
    const { size, ino } = await handle.stat();
    if (size >= maxBytes) full = ino;
  } finally {
    await handle.close();
  }
  if (full !== undefined) await rotate(file, full, keep);
}

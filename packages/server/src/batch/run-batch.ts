/** A batch: the lines of one file are shaped into another, and an interrupted batch goes on where it stopped. */
import type { FileHandle } from 'node:fs/promises';
import { orAborted } from 'context-shaping/internal';
import { type Checkpoint, prefixOf, writeCheckpoint } from './checkpoint.js';
import { type Finished, inOrder } from './in-order.js';
import { lockFiles } from './lock.js';
import { OutputFile, storing } from './output-file.js';
import { bytesBetween, readLines } from './read-lines.js';
import { rejectOf, resultOf } from './records.js';
import { assertUnchanged, openInput, startOf } from './start.js';
import type { BatchOptions, BatchProgress } from './types.js';

/**
 * Shapes the lines of a file. Each line ends in one of the outputs exactly once, also if the process is killed or the
 * machine loses power, and the batch is started again with the same files and settings.
 *
 * @throws ContextShapingError `invalid-input` or `invalid-options`: the batch cannot begin, or not go on, with these files
 *   and settings; `service`: a file cannot be written; the error of the executor; the reason of the signal. The
 *   lines that are done until then are kept, and the next start goes on after them.
 */
export async function runBatch(options: BatchOptions): Promise<BatchProgress> {
  const { out: path, rejects: rejectsPath = `${path}.rejects.jsonl` } = options;
  const input = await openInput(options.in);
  try {
    const lock = await lockFiles({ out: path, rejects: rejectsPath });
    try {
      const done = await run(options, input, { path, rejectsPath }, lock.check);
      await lock.release(`${path}.checkpoint`);
      return done;
    } finally {
      await lock.release();
    }
  } finally {
    await input.close();
  }
}

async function run(
  options: BatchOptions,
  input: FileHandle,
  { path, rejectsPath }: { path: string; rejectsPath: string },
  checkLocks: () => Promise<void>,
): Promise<BatchProgress> {
  const { maxLineBytes = 16 * 2 ** 20, checkpointMs = 1000, signal, onProgress } = options;
  const limits = { lines: 10_000, bytes: 64 * 2 ** 20, ...options.window };
  const stats = await input.stat();
  const start = await startOf(options, input, stats, { path, rejectsPath });
  const checkpointPath = `${path}.checkpoint`;
  const done = { ...start.progress };
  const executor = await orAborted(options.executor(), signal);
  const opened: OutputFile[] = [];
  try {
    // Before the outputs: from now on they are known as those of this batch.
    await storing(path, writeCheckpoint(checkpointPath, start.checkpoint));
    const out = await OutputFile.open('out', path, start.checkpoint.out);
    opened.push(out);
    const rejects = await OutputFile.open('rejects', rejectsPath, start.checkpoint.rejects);
    opened.push(rejects);
    onProgress?.({ ...done });

    let isStored = true;
    let last = performance.now();
    const checkpoint = async () => {
      await checkLocks();
      const [outPrefix, rejectsPrefix] = [await out.sync(), await rejects.sync()];
      assertUnchanged(options.in, stats, await input.stat());
      const { line, shaped, rejected, blank, bytes } = done;
      const next: Checkpoint = {
        ...start.checkpoint,
        ...{ line, shaped, rejected, blank },
        in: await prefixOf(input, bytes),
        out: outPrefix,
        rejects: rejectsPrefix,
      };
      await storing(path, writeCheckpoint(checkpointPath, next));
      last = performance.now();
    };
    const write = async (finished: readonly Finished[]) => {
      isStored = false;
      await append(finished, out, rejects);
      count(done, finished);
      if (performance.now() - last >= checkpointMs) await checkpoint();
      isStored = true;
      onProgress?.({ ...done });
    };
    const stream = bytesBetween(input, done.bytes, stats.size);
    const lines = readLines(stream, { line: done.line, offset: done.bytes }, maxLineBytes);
    try {
      await inOrder(lines, executor, limits, signal, write);
    } catch (error) {
      if (isStored) await checkpoint();
      throw error;
    }
    await checkpoint();
    return done;
  } finally {
    await executor.close();
    for (const { handle } of opened) await handle.close();
  }
}

async function append(finished: readonly Finished[], out: OutputFile, rejects: OutputFile): Promise<void> {
  const results: Uint8Array[] = [];
  const problems: Uint8Array[] = [];
  for (const { given, outcome } of finished) {
    if (outcome === 'blank') continue;
    if (outcome.is === 'shaped') results.push(...resultOf(given.line, outcome));
    else problems.push(rejectOf(given, outcome.problem));
  }
  await out.append(results);
  await rejects.append(problems);
}

function count(done: BatchProgress, finished: readonly Finished[]): void {
  for (const { given, outcome } of finished) {
    done.line = given.line;
    done.bytes = given.end;
    if (outcome === 'blank') done.blank += 1;
    else if (outcome.is === 'shaped') done.shaped += 1;
    else done.rejected += 1;
  }
}

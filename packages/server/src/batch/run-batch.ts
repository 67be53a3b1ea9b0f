/** A batch: the lines of one file are shaped into another, and an interrupted batch goes on where it stopped. */
import { type FileHandle, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { orAborted } from 'context-shaping/internal';
import { writeCheckpoint } from './checkpoint.js';
import { inOrder, WINDOW } from './in-order.js';
import { lockFile } from './lock.js';
import { OutputFile, storing } from './output-file.js';
import { readLines } from './read-lines.js';
import { rejectOf, resultOf } from './records.js';
import { openInput, rejectsOf, startOf } from './start.js';
import type { BatchOptions, BatchProgress } from './types.js';

/** Bytes of the input that are read at once. */
const AT_ONCE = 2 ** 18;

/** Outcomes are written when they have about so many bytes, or when a checkpoint is due. */
const PORTION = 2 ** 20;

/**
 * Shapes the lines of a file. Each line ends in one of the outputs exactly once, also if the process is killed or the
 * machine loses power, and the batch is started again with the same files and settings.
 *
 * @throws ContextShapingError `invalid-input` or `invalid-options`: the batch cannot begin, or not go on, with these files
 *   and settings; `service`: a file cannot be written; the error of the executor; the reason of the signal. The
 *   lines that are done until then are kept, and the next start goes on after them.
 */
export async function runBatch(options: BatchOptions): Promise<BatchProgress> {
  const { out: path } = options;
  const input = await openInput(options.in);
  try {
    const release = await lockFile(path);
    try {
      const done = await run(options, input);
      // A batch that is killed between these has a checkpoint at its end, and is complete when it starts again.
      await release();
      await rm(`${path}.checkpoint`, { force: true });
      return done;
    } finally {
      await release();
    }
  } finally {
    await input.close();
  }
}

async function run(options: BatchOptions, input: FileHandle): Promise<BatchProgress> {
  const { out: path, maxLineBytes = 16 * 2 ** 20, checkpointMs = 1000, signal, onProgress } = options;
  const stats = await input.stat();
  const reached = await startOf(options, stats);
  const write = () => storing(path, writeCheckpoint(`${path}.checkpoint`, reached));
  const executor = await orAborted(options.executor(), signal);
  const opened: OutputFile[] = [];
  try {
    // Before the outputs: from now on they are known as those of this batch.
    await write();
    const out = await OutputFile.open(path, reached.out);
    opened.push(out);
    const rejects = await OutputFile.open(rejectsOf(path), reached.rejects);
    opened.push(rejects);
    onProgress?.({ ...reached });

    let last = performance.now();
    // Stays true if the disk did not take the lines.
    let isStoring = false;
    const checkpoint = async () => {
      isStoring = true;
      reached.out = await out.store();
      reached.rejects = await rejects.store();
      await write();
      isStoring = false;
      last = performance.now();
      onProgress?.({ ...reached });
    };
    const { line, bytes: from } = reached;
    const stream =
      from < stats.size
        ? input.createReadStream({
            start: from,
            end: stats.size - 1,
            autoClose: false,
            highWaterMark: AT_ONCE,
          })
        : Readable.from([]);
    const lines = readLines(stream, { line, offset: from }, maxLineBytes);
    try {
      for await (const { given, outcome } of inOrder(lines, executor, WINDOW, signal)) {
        reached.line = given.line;
        reached.bytes = given.end;
        if (outcome === 'blank') reached.blank += 1;
        else if (outcome.is === 'shaped') {
          reached.shaped += 1;
          out.add(resultOf(given.line, outcome));
        } else {
          reached.rejected += 1;
          rejects.add(rejectOf(given, outcome.problem));
        }
        const isDue = performance.now() - last >= checkpointMs;
        if (isDue || out.waiting + rejects.waiting > PORTION) await checkpoint();
      }
    } catch (error) {
      if (!isStoring) await checkpoint();
      throw error;
    }
    await checkpoint();
    return reached;
  } finally {
    await executor.close();
    for (const { handle } of opened) await handle.close();
  }
}

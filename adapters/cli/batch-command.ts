/** `context-shaping batch`: shapes the lines of a file. */
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { ContextShapingError, type ShapingOptions } from '../../src/index.js';
import { importOptional, LIBRARY, resolveOptions } from '../../src/internal.js';
import type { BatchProgress, Executor } from '../batch/index.js';
import { fieldsAsWritten } from '../shape-request/index.js';
import { batchProgress } from './batch-progress.js';
import { LinesRejected, UsageError } from './errors.js';
import { applyFlags, type OptionFlags } from './flags.js';
import type { Io } from './terminal.js';

export interface BatchFlags extends OptionFlags {
  in: string;
  out: string;
  rejects?: string;
  report: boolean;
  overwrite?: boolean;
  workers?: number;
  setup?: string;
  embedder?: string;
  timeout: number;
  maxLine: number;
  window: number;
}

const MEGABYTE = 2 ** 20;
const PATHS = { query: '$.query', embedding: '$.queryEmbedding' };

/** @throws LinesRejected after all lines are written, if some have no result. */
export async function batchCommand(flags: BatchFlags, io: Io): Promise<void> {
  if (flags.in === '-' || flags.out === '-') {
    throw new UsageError(
      'A batch cannot use standard streams, because it could not go on after an interruption. Name files after --in and --out',
    );
  }
  const { rejects = `${flags.out}.rejects.jsonl` } = flags;
  const options = optionsOf(flags);
  const { runBatch } = await load();
  const progress = batchProgress(io);
  let done: BatchProgress;
  try {
    done = await runBatch({
      in: flags.in,
      out: flags.out,
      rejects,
      executor: () => startThreads(flags, options),
      settings: settingsOf(flags, options),
      overwrite: flags.overwrite,
      maxLineBytes: Math.floor(positive('--max-line', flags.maxLine) * MEGABYTE),
      window: { bytes: positive('--window', flags.window) * MEGABYTE },
      signal: io.signal,
      onProgress: progress.show,
    });
  } catch (error) {
    await progress.stop();
    throw ContextShapingError.isInstance(error) ? error.renamed(flagOf) : error;
  }
  await progress.finish(rejects);
  if (done.rejected > 0) throw new LinesRejected(`${done.rejected} lines were rejected.`);
}

const FLAGS = ['in', 'out', 'rejects', 'workers', 'setup', 'embedder', 'timeout', 'report', 'options'];
const flagOf = (field: string) => (FLAGS.includes(field) ? `--${field}` : field);

/** @throws ContextShapingError `invalid-options`, with the name of the flag: here, not once for each line. */
function optionsOf(flags: BatchFlags): ShapingOptions {
  const { options, flagOf } = applyFlags({}, flags);
  try {
    resolveOptions(options);
  } catch (error) {
    throw fieldsAsWritten(error, PATHS, flagOf);
  }
  return options;
}

const load = () =>
  importOptional(() => import('../batch/index.js'), 'context-shaping batch', 'npm install piscina');

async function startThreads(flags: BatchFlags, options: ShapingOptions): Promise<Executor> {
  const { setup, embedder, report, timeout, workers = availableParallelism() } = flags;
  const { threadsExecutor } = await load();
  return threadsExecutor({
    workers: positive('--workers', workers),
    setup,
    embedder,
    options,
    report,
    timeoutMs: positive('--timeout', timeout) * 1000,
  });
}

/** The settings on which outcomes depend. The time limit and the size of a line decide which lines are rejected. */
function settingsOf(flags: BatchFlags, options: ShapingOptions) {
  const { report, timeout, maxLine, setup, embedder } = flags;
  return {
    version: LIBRARY.version,
    options: { ...options },
    report,
    timeout,
    maxLine,
    ...(setup === undefined ? {} : { setup: resolve(setup) }),
    ...(embedder === undefined ? {} : { embedder: resolve(embedder) }),
  };
}

function positive(flag: string, value: number): number {
  if (value > 0) return value;
  throw new UsageError(`${flag} must be above 0`);
}

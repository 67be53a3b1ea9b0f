/** `context-shaping-server batch`: shapes the lines of a file. */
import { resolve } from 'node:path';
import { ContextShapingError, type ShapingOptions } from 'context-shaping';
import {
  applyFlags,
  Ends,
  EXIT,
  flagNamed,
  type Io,
  type OptionFlags,
  UsageError,
} from 'context-shaping/cli';
import { resolveOptions } from 'context-shaping/internal';
import { fieldsAsWritten, LIBRARY } from 'context-shaping/kit';
import { runBatch } from '../batch/run-batch.js';
import { rejectsOf } from '../batch/start.js';
import { threadsExecutor } from '../batch/threads-executor.js';
import type { BatchProgress } from '../batch/types.js';
import { batchProgress } from './batch-progress.js';
import { queueIo } from './setup-flags.js';

export interface BatchFlags extends OptionFlags {
  in: string;
  out: string;
  report: boolean;
  overwrite?: boolean;
  workers?: number;
  setup?: string;
  embedder?: string;
  queue?: string;
  queueName?: string;
  timeout: number;
}

const PATHS = { query: '$.query' };

/** @throws Ends after all lines are written, if some have no result. */
export async function batchCommand(flags: BatchFlags, io: Io): Promise<void> {
  const missing = (['in', 'out'] as const).find((name) => flags[name] === undefined);
  if (missing !== undefined) throw new UsageError(`--${missing} FILE is required`);
  if (flags.in === '-' || flags.out === '-') {
    throw new UsageError(
      'A batch cannot use standard streams, because it could not go on after an interruption. Name files after --in and --out',
    );
  }
  const options = optionsOf(flags);
  if (flags.timeout <= 0) throw new UsageError('--timeout must be above 0');
  const timeoutMs = 1000 * flags.timeout;
  const progress = batchProgress(io);
  let done: BatchProgress;
  try {
    done = await runBatch({
      in: flags.in,
      out: flags.out,
      executor: async () => {
        const settings = { options, report: flags.report, timeoutMs };
        const { queue, queueName } = flags;
        if (queue === undefined) return threadsExecutor(flags, settings);
        const { queueExecutor } = await import('../batch/queue.js');
        return queueExecutor({ queue, queueName, ...queueIo(io) }, settings);
      },
      settings: settingsOf(flags, options),
      overwrite: flags.overwrite,
      signal: io.signal,
      onProgress: progress.show,
    });
  } catch (error) {
    await progress.stop(io.signal.aborted);
    throw ContextShapingError.isInstance(error) ? error.renamed(flagOf) : error;
  }
  await progress.finish(rejectsOf(flags.out));
  // The summary has said how many.
  if (done.rejected > 0) throw new Ends(EXIT.rejects);
}

const FLAGS = [
  'in',
  'out',
  'workers',
  'setup',
  'embedder',
  'timeout',
  'report',
  'options',
  'queue',
  'queueName',
];
const flagOf = (field: string) => (FLAGS.includes(field) ? flagNamed(field) : field);

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

/** The settings on which outcomes depend. The time limit decides which lines are rejected. */
function settingsOf(flags: BatchFlags, options: ShapingOptions) {
  const { report, timeout, setup, embedder } = flags;
  return {
    version: LIBRARY.version,
    options: { ...options },
    report,
    timeout,
    ...(setup === undefined ? {} : { setup: resolve(setup) }),
    ...(embedder === undefined ? {} : { embedder: resolve(embedder) }),
  };
}

/** `context-shaping-server batch` with its flags and help text: shapes the lines of a file. */
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { ShapingOptions } from 'context-shaping';
import {
  applyFlags,
  decimal,
  Ends,
  EXIT,
  exitCodesHelp,
  type Io,
  type OptionFlags,
  UsageError,
  wholeNumber,
  withOptionFlags,
} from 'context-shaping/cli';
import { resolveOptions } from 'context-shaping/internal';
import { fieldsAsWritten, LIBRARY } from 'context-shaping/kit';
import { runBatch } from '../batch/run-batch.js';
import { rejectsOf } from '../batch/start.js';
import { threadsExecutor } from '../batch/threads-executor.js';
import type { BatchProgress } from '../batch/types.js';
import { batchProgress } from './batch-progress.js';
import { queueIo, withFlag, withSetupFlag } from './setup-flags.js';

const HELP = `
Each line of the input is a JSON object as for context-shaping shape, and may have an "id", a string or a number:
  {"id": "q-17", "query": "What does it cost?", "chunks": [{"id": "a", "text": "It costs 5 euros."}]}

Each gives one line of OUT, in the same order, or one of OUT.rejects.jsonl:
  {"line": 17, "id": "q-17", "chunks": […], "report": {…}}
  {"line": 18, "error": {"detail": "…", "field": "$.query", "remedy": "…"}, "input": "the line as it was"}
A line overrides the options of the flags, and these override those of --setup. Blank lines are skipped.

An interrupted batch goes on where it stopped when the same command runs again. The files OUT.checkpoint and OUT.lock
are there until it is complete.

With --queue, any number of context-shaping-server worker --queue on any machines shape the lines. They have the --setup.
The password of Redis may be in the variable REDIS_PASSWORD.

Examples:
  $ context-shaping-server batch --in requests.jsonl --out results.jsonl --budget 1500
  $ context-shaping-server batch --in requests.jsonl --out results.jsonl --no-report --setup setup.js
  $ context-shaping-server batch --in requests.jsonl --out results.jsonl --queue redis://queue.example
`;

export function addBatch(program: Command, io: Io): void {
  withSetupFlag(
    withOptionFlags(program.command('batch'))
      .summary('shape a file of many retrieval results')
      .description(
        'Shapes each line of a file on all cores, and goes on where it stopped after an interruption.',
      )
      .option('--in <file>', 'JSON lines, each with a question and chunks')
      .option('--out <file>', 'file for the results')
      .option('--no-report', 'leave the reports out of the results')
      .option('--overwrite', 'begin anew, even if the output exists')
      .option('--workers <count>', 'worker threads; absent: one per core', wholeNumber),
  )
    .addOption(
      new Option('--queue <url>', 'shape in workers of this Redis: redis://HOST or rediss://HOST').conflicts([
        'workers',
        'setup',
      ]),
    )
    .option('--queue-name <name>', 'name of the queue; absent: context-shaping')
    .option('--timeout <seconds>', 'time after which a line is rejected', decimal, 60)
    .addHelpText('after', HELP + exitCodesHelp)
    .action((_flags, command: Command) => batchCommand(command, io));
}

interface BatchFlags extends OptionFlags {
  in: string;
  out: string;
  report: boolean;
  overwrite?: boolean;
  workers?: number;
  setup?: string;
  queue?: string;
  queueName?: string;
  timeout: number;
}

const PATHS = { query: '$.query' };

/** @throws Ends after all lines are written, if some have no result. */
async function batchCommand(command: Command, io: Io): Promise<void> {
  const flags = command.optsWithGlobals<BatchFlags>();
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
    throw withFlag(error, command);
  }
  await progress.finish(rejectsOf(flags.out));
  // The summary has said how many.
  if (done.rejected > 0) throw new Ends(EXIT.rejects);
}

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
  const { report, timeout, setup } = flags;
  return {
    version: LIBRARY.version,
    options: { ...options },
    report,
    timeout,
    ...(setup === undefined ? {} : { setup: resolve(setup) }),
  };
}

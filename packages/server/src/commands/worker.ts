/** `context-shaping-server worker`: shapes lines of batches from a queue until it is stopped. */
import type { Command } from 'commander';
import { ContextShapingError } from 'context-shaping';
import { exitCodesHelp, flagNamed, type Io, wholeNumber, write } from 'context-shaping/cli';
import { withSetupFlags } from './setup-flags.js';

const HELP = `
Shapes the lines that context-shaping-server batch --queue hands to a queue in Redis, in any number of processes on any number
of machines. All workers of a queue need the same --setup or --embedder; give other ones another --queue-name. Workers
of another version of this package have another queue by themselves.

A wrong line is rejected in the outputs of the batch. The lines of a worker that ended without notice go to others within
20 seconds. While Redis is away, a worker waits. On SIGTERM or Ctrl-C it takes no new line,
finishes those that have begun, and exits with 0.

Environment:
  REDIS_PASSWORD  password of Redis, in place of one in the address

Examples:
  $ context-shaping-server worker --queue redis://queue.example:6379
  $ context-shaping-server worker --queue rediss://user@queue.example:6380 --setup setup.js
`;

interface WorkerFlags {
  queue: string;
  queueName?: string;
  workers?: number;
  setup?: string;
  embedder?: string;
}

export function addWorker(program: Command, io: Io): void {
  withSetupFlags(
    program
      .command('worker')
      .summary('shape lines of batches from a queue')
      .description('Shapes lines of batches from a queue in Redis, until it is stopped.')
      .requiredOption('--queue <url>', 'address of Redis: redis://HOST or rediss://HOST')
      .option('--queue-name <name>', 'name of the queue; absent: context-shaping')
      .option('--workers <count>', 'worker threads; absent: one per core', wholeNumber),
  )
    .addHelpText('after', HELP + exitCodesHelp)
    .action((flags: WorkerFlags) => work(flags, io));
}

/** Resolves after a stop signal, when all lines that have begun are finished. */
async function work({ queue, queueName, workers, setup, embedder }: WorkerFlags, io: Io): Promise<void> {
  const { createQueueWorker } = await import('../batch/bullmq/queue.js');
  const tell = (sentence: string) => void io.stderr.write(`${sentence}\n`);
  const password = io.env.REDIS_PASSWORD || undefined;
  const options = { queue, password, queueName, workers, setup, embedder };
  const stopped = new Promise<void>((resolve) => {
    if (io.signal.aborted) resolve();
    else io.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const starting = createQueueWorker(options, tell).catch((error) => {
    throw ContextShapingError.isInstance(error) ? error.renamed(flagNamed) : error;
  });
  const worker = await Promise.race([starting, stopped]);
  // Stopped while it starts: a setup that hangs must not delay the exit.
  if (!worker) return;
  try {
    await write(io.stderr, `Waiting for lines of the queue ${worker.queue}. Press Ctrl-C to stop.\n`);
    await Promise.race([stopped, worker.broken]);
  } finally {
    await worker.close();
  }
}

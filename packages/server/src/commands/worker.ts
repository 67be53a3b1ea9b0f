/** `context-shaping-server worker`: shapes lines of batches from a queue until it is stopped. */
import type { Command } from 'commander';
import { exitCodesHelp, type Io, wholeNumber } from 'context-shaping/cli';
import { queueIo, withFlag, withSetupFlag } from './setup-flags.js';

const HELP = `
Shapes the lines that context-shaping-server batch --queue hands to a queue in Redis, in any number of processes on any number
of machines. All workers of a queue need the same --setup; give other ones another --queue-name. Workers
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

export function addWorker(program: Command, io: Io): void {
  withSetupFlag(
    program
      .command('worker')
      .summary('shape lines of batches from a queue')
      .description('Shapes lines of batches from a queue in Redis, until it is stopped.')
      .option('--queue <url>', 'address of Redis: redis://HOST or rediss://HOST')
      .option('--queue-name <name>', 'name of the queue; absent: context-shaping')
      .option('--workers <count>', 'worker threads; absent: one per core', wholeNumber),
  )
    .addHelpText('after', HELP + exitCodesHelp)
    .action((_flags, command: Command) => work(command, io));
}

async function work(command: Command, io: Io): Promise<void> {
  const { workOnQueue } = await import('../batch/queue.js');
  const options = { ...command.opts(), ...queueIo(io) } as Parameters<typeof workOnQueue>[0];
  await workOnQueue(options, io.signal).catch((error) => {
    // Stopped while it starts: a setup that hangs must not delay the exit.
    if (error === io.signal.reason) return;
    throw withFlag(error, command);
  });
}

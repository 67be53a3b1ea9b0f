/** `context-shaping-server worker` with its flags and help text. */

import type { Command } from 'commander';
import { decimal, exitCodesHelp, type Io, wholeNumber } from 'context-shaping/internal';
import { withSetupFlags } from './setup-flags.js';
import { type WorkerFlags, workerCommand } from './worker.js';

const HELP = `
Shapes the lines that context-shaping-server batch --queue hands to a queue in Redis, in any number of processes on any number
of machines. All workers of a queue need the same --setup or --embedder; give other ones another --queue-name. Workers
of another version of this package have another queue by themselves.

A wrong line is rejected in the outputs of the batch. The lines of a worker that ended without notice go to others: after
--takeover, or up to twice that time. While Redis is away, a worker waits. On SIGTERM or Ctrl-C it takes no new line,
finishes those that have begun, and exits with 0.

With --metrics-port it serves GET /metrics for Prometheus, /health and /ready: no texts.

Environment:
  REDIS_PASSWORD  password of Redis, in place of one in the address

Examples:
  $ context-shaping-server worker --queue redis://queue.example:6379
  $ context-shaping-server worker --queue rediss://user@queue.example:6380 --setup setup.js --metrics-port 9090
`;

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
    .option(
      '--takeover <seconds>',
      'time without a sign of life after which others may take its lines; absent: 10',
      decimal,
    )
    .option('--metrics-port <number>', 'port for /metrics, /health and /ready; absent: none', wholeNumber)
    .option('--metrics-host <address>', 'address to listen on for it; absent: 127.0.0.1')
    .addHelpText('after', HELP + exitCodesHelp)
    .action((_flags, command: Command) => workerCommand(command.optsWithGlobals<WorkerFlags>(), io));
}

/** `context-shaping-server batch` with its flags and help text. */

import { type Command, Option } from 'commander';
import { decimal, exitCodesHelp, type Io, wholeNumber, withOptionFlags } from 'context-shaping/cli';
import { type BatchFlags, batchCommand } from './batch.js';
import { withSetupFlags } from './setup-flags.js';

const HELP = `
Each line of the input is a JSON object as for context-shaping shape, and may have an "id", a string or a number:
  {"id": "q-17", "query": "What does it cost?", "chunks": [{"id": "a", "text": "It costs 5 euros."}]}

Each gives one line of OUT, in the same order, or one of OUT.rejects.jsonl:
  {"line": 17, "id": "q-17", "chunks": […], "report": {…}}
  {"line": 18, "error": {"detail": "…", "field": "$.query", "remedy": "…"}, "input": "the line as it was"}
A line overrides the options of the flags, and these override those of --setup. Blank lines are skipped.

An interrupted batch goes on where it stopped when the same command runs again. The files OUT.checkpoint and OUT.lock
are there until it is complete.

With --queue, any number of context-shaping-server worker --queue on any machines shape the lines. They have the --setup or
--embedder. The password of Redis may be in the variable REDIS_PASSWORD.

Examples:
  $ context-shaping-server batch --in requests.jsonl --out results.jsonl --budget 1500
  $ context-shaping-server batch --in requests.jsonl --out results.jsonl --no-report --embedder models/minishlab/potion-base-8M
  $ context-shaping-server batch --in requests.jsonl --out results.jsonl --queue redis://queue.example
`;

export function addBatch(program: Command, io: Io): void {
  withSetupFlags(
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
        'embedder',
      ]),
    )
    .option('--queue-name <name>', 'name of the queue; absent: context-shaping')
    .option('--timeout <seconds>', 'time after which a line is rejected', decimal, 60)
    .addHelpText('after', HELP + exitCodesHelp)
    .action((_flags, command: Command) => batchCommand(command.optsWithGlobals<BatchFlags>(), io));
}

/** The commands of `context-shaping-server`. */
import type { Command } from 'commander';
import { exitCodesHelp, type Io, newProgram, withHelpAfterErrors } from 'context-shaping/cli';
import { addBatch } from './commands/batch.js';
import { addServe } from './commands/serve.js';
import { addWorker } from './commands/worker.js';

export function makeProgram(io: Io): Command {
  const program = newProgram('context-shaping-server', 'Shapes retrieval results for other programs.', io);
  program.addHelpText('after', exitCodesHelp);
  addServe(program, io);
  addBatch(program, io);
  addWorker(program, io);
  return withHelpAfterErrors(program);
}

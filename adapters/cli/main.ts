#!/usr/bin/env node
import { whenOrphaned } from './orphaned.js';
import { run } from './run.js';

// A failing stream rejects the awaited write and also emits an event. Without a listener that event ends the program with
// a stack trace. A reader that closes the pipe early (`| head`) is no failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
  });
}

// The first Ctrl-C or SIGTERM ends the work cleanly; a second one kills the process, in case the work hangs.
const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interrupt.abort());
whenOrphaned(process.env, () => interrupt.abort());

const { stdin, stdout, stderr, env } = process;
process.exitCode = await run(process.argv.slice(2), { stdin, stdout, stderr, env, signal: interrupt.signal });
if (interrupt.signal.aborted) process.exit();

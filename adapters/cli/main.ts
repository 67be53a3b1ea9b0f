#!/usr/bin/env node
import { run } from './run.js';

// A stream that fails says so to whoever awaits the write, but as an event too, which unheard ends the
// program with a stack trace. That a reader has seen enough (`| head`) is no failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
  });
}

// The first Ctrl-C, or whoever runs it as a service, lets the work end cleanly; a second one, should it hang, kills.
const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interrupt.abort());

const { stdin, stdout, stderr, env } = process;
process.exitCode = await run(process.argv.slice(2), { stdin, stdout, stderr, env, signal: interrupt.signal });
if (interrupt.signal.aborted) process.exit();

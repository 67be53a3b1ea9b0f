/** A worker thread: loads the operator's setup once, then runs one job after another. */

import { ContextShapingError } from 'context-shaping';
import { move, transferableSymbol, valueSymbol, workerData } from 'piscina';
import type { Done } from './jobs.js';
import { CLIENT_GONE } from './problems.js';
import { createPerform } from './setup.js';
import type { Loaded, Task } from './threads.js';

const performing = createPerform(workerData);
// The error is reported to the callers that await `performing`.
performing.catch(() => {});

export default async function work(task: Task): Promise<unknown> {
  if (task === 'load') return load();
  const { line, ...job } = task;
  const perform = await performing.catch(() => {
    // The setup had loaded when the service started. This thread ends, so that a new thread tries again.
    process.exit(1);
  });
  line.postMessage('begin');
  const left = new AbortController();
  line.once('message', () => left.abort());
  const done = await perform(job, left.signal).catch((error): Done => {
    if (!left.signal.aborted) throw error;
    return { status: CLIENT_GONE };
  });
  if (done.body === undefined) return done;
  const body = new TextEncoder().encode(done.body);
  // The bytes are transferred, not copied.
  const handedOver = { [transferableSymbol]: body.buffer, [valueSymbol]: { ...done, body } };
  return move(handedOver as Parameters<typeof move>[0]);
}

async function load(): Promise<Loaded> {
  try {
    await performing;
    return {};
  } catch (error) {
    if (!ContextShapingError.isInstance(error)) throw error;
    const { kind, field, problem, remedy } = error;
    // Some values cannot be sent to another thread.
    const value = error.value instanceof Object ? String(error.value) : error.value;
    return { wrong: { kind, field, value, problem, remedy } };
  }
}

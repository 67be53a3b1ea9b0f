/** A worker thread: loads the operator's setup once, then does one job after the other. */
import { move, transferableSymbol, valueSymbol, workerData } from 'piscina';
import { ContextShapingError } from '../../src/index.js';
import type { Answer, Done } from './jobs.js';
import { CLIENT_GONE } from './problems.js';
import { createPerform } from './setup.js';
import type { Loaded, Task } from './threads.js';

const performing = createPerform(workerData);
// Whoever asks for it hears of it.
performing.catch(() => {});

export default async function work(task: Task): Promise<unknown> {
  if (task === 'load') return load();
  const { line, wantsStages, ...job } = task;
  const perform = await performing.catch(() => {
    // It could load when the service started. Of no use like this, it makes room for another try.
    process.exit(1);
  });
  const left = new AbortController();
  line.once('message', () => left.abort());
  const onStage = wantsStages ? (event: object) => line.postMessage(event) : undefined;
  const done = await perform(job, left.signal, onStage).catch((error): Done => {
    if (!left.signal.aborted) throw error;
    return { status: CLIENT_GONE, contentType: 'text/plain', body: '' };
  });
  return moved({ ...done, body: new TextEncoder().encode(done.body) });
}

async function load(): Promise<Loaded> {
  try {
    await performing;
    return {};
  } catch (error) {
    if (!ContextShapingError.isInstance(error)) throw error;
    const { kind, field, problem, remedy } = error;
    // Not everything can be sent to another thread.
    const value = error.value instanceof Object ? String(error.value) : error.value;
    return { wrong: { kind, field, value, problem, remedy } };
  }
}

/** An answer whose bytes are handed over, not copied. */
function moved(answer: Answer & { body: Uint8Array<ArrayBuffer> }): unknown {
  const handedOver = { [transferableSymbol]: [answer.body.buffer], [valueSymbol]: answer };
  return move(handedOver as Parameters<typeof move>[0]);
}

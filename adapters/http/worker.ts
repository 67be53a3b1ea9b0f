/** A worker thread: loads the operator's setup once, then does one job after the other. */
import { move, transferableSymbol, valueSymbol, workerData } from 'piscina';
import { ContextShapingError } from '../../src/index.js';
import { createPerform } from './setup.js';
import type { Loaded, Task } from './threads.js';
import type { Answer } from './work.js';

const performing = createPerform(workerData);
// Whoever asks for it hears of it.
performing.catch(() => {});

export default async function work(task: Task): Promise<unknown> {
  if (task === 'load') return load();
  const { stages, ...job } = task;
  const perform = await performing.catch(() => {
    // It could load when the service started. Of no use like this, it makes room for another try.
    process.exit(1);
  });
  const onStage = stages && ((event: object) => stages.postMessage(event));
  const done = await perform(job, undefined, onStage);
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

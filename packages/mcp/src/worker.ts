/** A thread of {@link startWorkers}. It does one task after the other. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { messageOf } from 'context-shaping/kit';
import { engineOf } from './engine.js';
import type { Host } from './result-shaper.js';
import { type Outcome, type Said, type Task, tell } from './workers.js';

const engine = await engineOf(workerData);

parentPort?.on('message', ({ name, args, port }: Task) => {
  const method = engine[name] as (...args: unknown[]) => Promise<unknown>;
  void tell(port, method(...args, hostAt(port)));
});

/** The host at the other end. */
function hostAt(port: MessagePort): Host {
  const ask = (ask: Extract<Said, { ask: unknown }>['ask'], ...args: unknown[]) =>
    new Promise<never>((resolve, reject) => {
      port.once('message', (outcome: Outcome) => {
        if ('error' in outcome) reject(new Error(outcome.error));
        else resolve(outcome.value as never);
      });
      port.postMessage({ ask, args } satisfies Said);
    });
  return {
    // Work that is not wanted any more ends with its thread.
    signal: new AbortController().signal,
    schema: () => ask('schema'),
    get: (key) => ask('get', key),
    // Not every error can be sent.
    onError: (error) => ask('onError', new Error(messageOf(error))),
  };
}

/** A thread of {@link startWorkers}. */
import { type MessagePort, workerData } from 'node:worker_threads';
import { messageOf } from 'context-shaping/internal';
import { type Engine, engineOf, type Host } from './engine.js';
import type { Question, Reply, Task } from './workers.js';

const engine = engineOf(workerData);
// Each task reports the error.
engine.catch(() => {});

export const shape = async ({ args, port }: Task<'shape'>): ReturnType<Engine['shape']> =>
  (await engine).shape(...args, hostAt(port));

export const recall = async ({ args, port }: Task<'recall'>): ReturnType<Engine['recall']> =>
  (await engine).recall(...args, hostAt(port));

/** The host at the other end. */
function hostAt(port: MessagePort): Host {
  const ask = (...question: Question) =>
    new Promise<never>((resolve, reject) => {
      port.once('message', (reply: Reply) => {
        if ('error' in reply) reject(new Error(reply.error));
        else resolve(reply.value as never);
      });
      port.postMessage(question);
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

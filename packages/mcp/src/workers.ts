/** Threads that shape, so that the thread of the proxy is free to pass messages on. */
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { messageOf } from 'context-shaping/kit';
import type { Engine } from './engine.js';
import type { Settings } from './options.js';
import type { Host } from './result-shaper.js';

/** Has the same extension as this file: .ts in the sources. */
const WORKER = new URL(`./worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url);

/** A call of a method of the engine. Both threads talk about it through the port. */
export interface Task {
  name: keyof Engine;
  /** The arguments without the host. */
  args: unknown[];
  port: MessagePort;
}

/** A message of a thread: the outcome of its task, or a question by the name of a method of the host. */
export type Said = Outcome | { ask: Exclude<keyof Host, 'signal'>; args: unknown[] };

export type Outcome = { value: unknown } | { error: string };

/** Tells the other thread how the work ended. Not every value can be sent. */
export const tell = (port: MessagePort, work: Promise<unknown>): Promise<void> =>
  work
    .then((value) => port.postMessage({ value } satisfies Outcome))
    .catch((error) => port.postMessage({ error: messageOf(error) } satisfies Outcome));

export interface Workers extends Engine {
  /** Ends the threads. Nothing may be under way. */
  close(): Promise<void>;
}

/**
 * No thread starts before it is needed. A signal ends the thread that does the work. A thread that dies rejects its work.
 *
 * @param most the most threads at a time.
 * @returns undefined if this thread has to do all.
 */
export function startWorkers(settings: Settings, most: number): Workers | undefined {
  if (most === 0 || !canBeSent(settings)) return undefined;
  /** One thread stays for later work, because the first work of a thread takes longest. */
  let idle: Worker | undefined;
  let free = most;
  const waiting: (() => void)[] = [];

  async function run(name: keyof Engine, args: unknown[], host: Host): Promise<never> {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      host.signal.throwIfAborted();
      const worker = idle ?? newWorker();
      idle = undefined;
      const value = await work(worker, { name, args }, host);
      if (idle === undefined) idle = worker;
      else void worker.terminate();
      return value;
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  }

  function newWorker(): Worker {
    // A thread that runs out of memory gets 16 MB for its termination. Node 24 may move more than that out of its larger
    // young generation at once; then the process dies instead of the thread.
    const resourceLimits = { maxYoungGenerationSizeMb: 32 };
    const worker = new Worker(WORKER, { workerData: settings, resourceLimits });
    worker.unref();
    worker.on('error', () => {});
    return worker.once('exit', () => {
      if (idle === worker) idle = undefined;
    });
  }

  return {
    shape: (line, call, host) => run('shape', [line, call], host),
    recall: (call, host) => run('recall', [call], host),
    close: async () => void (await idle?.terminate()),
  };
}

/** The value of a task. If there is none, the thread ends. */
async function work(worker: Worker, task: Omit<Task, 'port'>, host: Host): Promise<never> {
  const { port1, port2 } = new MessageChannel();
  const done = new AbortController();
  try {
    return await new Promise((resolve, reject) => {
      port1.on('message', (said: Said) => {
        if ('ask' in said) void tell(port1, answerOf(host, said));
        else if ('value' in said) resolve(said.value as never);
        else reject(new Error(said.error));
      });
      const ended = (code: number) => reject(new Error(`its thread ended with exit code ${code}`));
      worker.once('error', reject).once('exit', ended);
      done.signal.onabort = () => worker.off('error', reject).off('exit', ended);
      host.signal.addEventListener('abort', () => reject(host.signal.reason), { signal: done.signal });
      worker.postMessage({ ...task, port: port2 }, [port2]);
    });
  } catch (error) {
    await worker.terminate();
    throw error;
  } finally {
    port1.close();
    done.abort();
  }
}

const answerOf = async (host: Host, { ask, args }: Extract<Said, { ask: unknown }>): Promise<unknown> =>
  (host[ask] as (...args: unknown[]) => unknown)(...args);

/** Functions cannot be sent, and objects of classes arrive as others. */
function canBeSent(value: unknown): boolean {
  try {
    return isDeepStrictEqual(structuredClone(value), value);
  } catch {
    return false;
  }
}

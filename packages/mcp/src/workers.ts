/** Threads that shape, so that the thread of the proxy is free to pass messages on. */
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { messageOf } from 'context-shaping/internal';
import type { Piscina } from 'piscina';
import type { Engine, Host, Settings } from './engine.js';

/** Has the same extension as this file: .ts in the sources. */
const WORKER = new URL(`./worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url).href;

/** How long a thread waits for more work, in milliseconds. One stays: its first work takes longest. */
const IDLE = 60_000;

/** The arguments of a method without the host, which the thread asks through the port. */
export interface Task<Name extends keyof Engine> {
  args: Parameters<Engine[Name]> extends [...infer Args, Host] ? Args : never;
  port: MessagePort;
}

/** A question of a thread, by the name of a method of the host. */
export type Question = { [Name in Asked]: [name: Name, ...args: Parameters<Host[Name]>] }[Asked];
type Asked = Exclude<keyof Host, 'signal'>;

export type Reply = { value: unknown } | { error: string };

export interface Workers extends Engine {
  /** Ends all threads and their work. */
  close(): Promise<void>;
}

/**
 * No thread starts before the first work. A signal ends the thread that does the work; a thread that dies rejects it.
 *
 * @param most the most threads at a time.
 * @param onError gets the error of a thread that died without work.
 * @returns undefined if this thread has to do all.
 */
export function startWorkers(
  settings: Settings,
  most: number,
  onError: (error: unknown) => void,
): Workers | undefined {
  if (most === 0 || !canBeSent(settings)) return undefined;
  let pool: Promise<Piscina> | undefined;

  async function start(): Promise<Piscina> {
    // Most connections need no thread.
    const { Piscina } = await import('piscina');
    const started = new Piscina({
      filename: WORKER,
      minThreads: 1,
      maxThreads: most,
      idleTimeout: IDLE,
      workerData: settings,
      // A thread that runs out of memory gets 16 MB for its termination. Node 24 may move more than that out of its larger
      // young generation at once; then the process dies instead of the thread.
      resourceLimits: { maxYoungGenerationSizeMb: 32 },
      // With atomics a thread would not hear the answers of the host.
      atomics: 'disabled',
      recordTiming: false,
    });
    return started.on('error', onError);
  }

  async function run<Name extends keyof Engine>(
    name: Name,
    args: Task<Name>['args'],
    host: Host,
  ): Promise<Awaited<ReturnType<Engine[Name]>>> {
    const { port1, port2 } = new MessageChannel();
    const reply = (answer: Reply) => port1.postMessage(answer);
    port1.on('message', (question: Question) => {
      answerOf(host, question)
        .then((value) => reply({ value }))
        .catch((error) => reply({ error: messageOf(error) }));
    });
    try {
      pool ??= start();
      const task: Task<Name> = { args, port: port2 };
      return await (await pool).run(task, { name, signal: host.signal, transferList: [port2] });
    } finally {
      port1.close();
    }
  }

  return {
    shape: (line, call, host) => run('shape', [line, call], host),
    recall: (call, host) => run('recall', [call], host),
    close: async () => (await pool)?.destroy(),
  };
}

/** Functions cannot be sent, and objects of classes arrive as others. */
function canBeSent(value: unknown): boolean {
  try {
    return isDeepStrictEqual(structuredClone(value), value);
  } catch {
    return false;
  }
}

const answerOf = async (host: Host, [name, ...args]: Question): Promise<unknown> =>
  (host[name] as (...args: unknown[]) => unknown)(...args);

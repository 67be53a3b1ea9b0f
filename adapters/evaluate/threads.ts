/** Threads that measure cases, one case at a time each. */
import { isDeepStrictEqual } from 'node:util';
import { Worker } from 'node:worker_threads';
import { ContextShapingError } from '../../src/index.js';
import type { CaseRecord, Plan } from './measure.js';
import type { EvaluationCase } from './types.js';

/** One case for a thread. */
export interface Task {
  given: EvaluationCase;
  number: number;
}

/** The answer of a thread. An error of this package arrives in its parts, because a class cannot be sent. */
export type Answer = { record: CaseRecord } | { refused: Refusal } | { error: Error };
type Refusal = Pick<ContextShapingError, 'kind' | 'field' | 'value' | 'problem' | 'remedy'>;

export interface Threads {
  /** Waits for a free thread. @throws the error of the measurement; Error, if the thread ends. */
  measure(task: Task): Promise<CaseRecord>;
  /** Ends the threads. Their measurements are rejected. */
  close(): Promise<void>;
}

/** A thread, and a promise that rejects when it ends. */
interface Thread {
  worker: Worker;
  ended: Promise<never>;
}

/** @returns undefined if this thread has to do all: functions cannot be sent. */
export function startThreads(count: number, plan: Plan): Threads | undefined {
  const file = workerFile();
  if (count === 0 || file === undefined || !canBeSent(plan)) return undefined;
  const all = Array.from({ length: count }, () => startThread(file, plan));
  const idle = [...all];
  const waiting: { resolve(thread: Thread): void; reject(error: Error): void }[] = [];
  return {
    async measure(task) {
      const thread =
        idle.pop() ?? (await new Promise<Thread>((resolve, reject) => waiting.push({ resolve, reject })));
      const record = await Promise.race([answerOf(thread.worker, task), thread.ended]);
      const next = waiting.shift();
      if (next === undefined) idle.push(thread);
      else next.resolve(thread);
      return record;
    },
    async close() {
      for (const { reject } of waiting.splice(0)) reject(new Error('The threads were closed.'));
      await Promise.all(all.map(({ worker }) => worker.terminate()));
    },
  };
}

/** Undefined in CommonJS, which cannot find the module, and in the sources: Node 20 loads TypeScript in no thread. */
function workerFile(): URL | undefined {
  const address = import.meta.resolve?.('#evaluate-worker');
  return address === undefined || address.endsWith('.ts') ? undefined : new URL(address);
}

function startThread(file: URL, plan: Plan): Thread {
  const worker = new Worker(file, { workerData: plan });
  const ended = new Promise<never>((_, reject) => {
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`A thread ended with exit code ${code}.`)));
  });
  // It may end while no case waits for it.
  ended.catch(() => {});
  return { worker, ended };
}

function answerOf(worker: Worker, task: Task): Promise<CaseRecord> {
  return new Promise((resolve, reject) => {
    worker.once('message', (answer: Answer) =>
      'record' in answer
        ? resolve(answer.record)
        : reject('refused' in answer ? errorOf(answer.refused) : answer.error),
    );
    worker.postMessage(task);
  });
}

const errorOf = ({ kind, field, value, problem, remedy }: Refusal) =>
  new ContextShapingError(kind, { field, value, is: problem, remedy });

function canBeSent(value: unknown): boolean {
  try {
    return isDeepStrictEqual(structuredClone(value), value);
  } catch {
    return false;
  }
}

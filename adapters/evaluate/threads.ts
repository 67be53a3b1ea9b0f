/** Threads that measure cases, one case at a time each. */
import { isDeepStrictEqual } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { CaseRecord, Plan } from './measure.js';
import type { EvaluationCase } from './types.js';

/** What a thread is given. */
export interface Task {
  given: EvaluationCase;
  number: number;
}

/** What a thread answers: the measurement, or the error, which is sent as it is. */
export type Answer = { record: CaseRecord } | { error: unknown };

export interface Threads {
  /** Waits for a free thread. @throws the error of the measurement; Error, if the thread ends. */
  measure(task: Task): Promise<CaseRecord>;
  close(): Promise<void>;
}

/** @returns undefined if this thread has to do all: functions cannot be sent, and CommonJS cannot find the module. */
export function startThreads(count: number, plan: Plan): Threads | undefined {
  if (count === 0 || !canBeSent(plan) || import.meta.resolve === undefined) return undefined;
  const file = new URL(import.meta.resolve('#evaluate-worker'));
  const all = Array.from({ length: count }, () => new Worker(file, { workerData: plan }));
  const idle = [...all];
  const waiting: { resolve(worker: Worker): void; reject(error: Error): void }[] = [];
  return {
    async measure(task) {
      const worker =
        idle.pop() ?? (await new Promise<Worker>((resolve, reject) => waiting.push({ resolve, reject })));
      const record = await answerOf(worker, task);
      const next = waiting.shift();
      if (next === undefined) idle.push(worker);
      else next.resolve(worker);
      return record;
    },
    async close() {
      for (const { reject } of waiting.splice(0)) reject(new Error('The threads were closed.'));
      await Promise.all(all.map((worker) => worker.terminate()));
    },
  };
}

async function answerOf(worker: Worker, task: Task): Promise<CaseRecord> {
  const done = new AbortController();
  try {
    return await new Promise((resolve, reject) => {
      const onMessage = (answer: Answer) =>
        'record' in answer ? resolve(answer.record) : reject(answer.error);
      const onExit = (code: number) => reject(new Error(`A thread ended with exit code ${code}.`));
      worker.once('message', onMessage).once('error', reject).once('exit', onExit);
      done.signal.onabort = () => worker.off('message', onMessage).off('error', reject).off('exit', onExit);
      worker.postMessage(task);
    });
  } finally {
    done.abort();
  }
}

function canBeSent(value: unknown): boolean {
  try {
    return isDeepStrictEqual(structuredClone(value), value);
  } catch {
    return false;
  }
}

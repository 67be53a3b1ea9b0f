/** A thread of {@link startThreads}: measures one case after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../src/internal.js';
import { measureCase, type Plan, shapersOf } from './measure.js';
import type { Answer, Task } from './threads.js';

const plan = workerData as Plan;
const shapers = shapersOf(plan);
const port = parentPort as NonNullable<typeof parentPort>;

port.on('message', async ({ given, number }: Task) => {
  let answer: Answer;
  try {
    answer = { record: await measureCase(given, number, plan, shapers) };
  } catch (error) {
    // Errors of classes arrive as plain ones.
    answer = { error: new Error(messageOf(error)) };
  }
  port.postMessage(answer);
});

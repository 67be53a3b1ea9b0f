/** A thread of {@link startThreads}: measures one case after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { ContextShapingError } from '../../src/index.js';
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
    answer = ContextShapingError.isInstance(error)
      ? { refused: refusalOf(error) }
      : { error: new Error(messageOf(error)) };
  }
  port.postMessage(answer);
});

const refusalOf = ({ kind, field, value, problem, remedy }: ContextShapingError) => ({
  ...{ kind, field, problem, remedy },
  // A function cannot be sent.
  value: typeof value === 'object' || typeof value === 'function' ? undefined : value,
});

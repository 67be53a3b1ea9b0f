/** The thread that shapes one output for {@link shapedInTime}. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Answer } from './in-time.js';
import { reasonOf, shapeOutput } from './shape-output.js';

const answer: Answer = await shapeOutput(workerData).then(
  (shaped) => ({ shaped }),
  (error) => ({ reason: reasonOf(error) }),
);
parentPort?.postMessage(answer);

/** A batch on many machines: the command hands lines to a queue of BullMQ, and workers take them. */
export { type QueueExecutorOptions, queueExecutor } from './executor.js';
export { createMonitor, type Monitor } from './monitor.js';
export {
  createQueueWorker,
  type QueueWorker,
  type QueueWorkerOptions,
  type WorkerEvents,
} from './worker.js';

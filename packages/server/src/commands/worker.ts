/** `context-shaping-server worker`: shapes lines of batches from a queue until it is stopped. */
import { ContextShapingError } from 'context-shaping';
import { flagNamed, type Io, write } from 'context-shaping/internal';

export interface WorkerFlags {
  queue: string;
  queueName?: string;
  workers?: number;
  setup?: string;
  embedder?: string;
  takeover?: number;
  metricsPort?: number;
  metricsHost?: string;
}

/** Resolves after a stop signal, when all lines that have begun are finished. */
export async function workerCommand(
  { queue, queueName, workers, setup, embedder, takeover, metricsPort, metricsHost }: WorkerFlags,
  io: Io,
): Promise<void> {
  const { createMonitor } = await import('../batch/bullmq/monitor.js');
  const { createQueueWorker } = await import('../batch/bullmq/worker.js');
  const tell = (sentence: string) => void io.stderr.write(`${sentence}\n`);
  const password = io.env.REDIS_PASSWORD || undefined;
  const options = { queue, password, queueName, workers, setup, embedder, takeover };
  const monitor = metricsPort === undefined ? undefined : createMonitor();
  const stopped = new Promise<void>((resolve) => {
    if (io.signal.aborted) resolve();
    else io.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const starting = createQueueWorker(options, tell, monitor?.events).catch((error) => {
    throw ContextShapingError.isInstance(error) ? error.renamed(flagNamed) : error;
  });
  const worker = await Promise.race([starting, stopped]);
  // Stopped while it starts: a setup that hangs must not delay the exit.
  if (!worker) return;
  try {
    if (monitor && metricsPort !== undefined) {
      const address = await monitor.listen(metricsHost ?? '127.0.0.1', metricsPort, worker);
      await write(io.stderr, `Metrics are at ${address}/metrics.\n`);
    }
    await write(io.stderr, `Waiting for lines of the queue ${worker.queue}. Press Ctrl-C to stop.\n`);
    await Promise.race([stopped, worker.broken]);
  } finally {
    await worker.close();
    monitor?.close();
  }
}

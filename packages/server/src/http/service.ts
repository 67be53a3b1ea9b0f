import { parseOptions } from 'context-shaping/kit';
import type { FastifyInstance } from 'fastify';
import { failureOf } from '../workers/problems.js';
import { createPerform } from '../workers/setup.js';
import { startThreads, type Threads } from '../workers/threads.js';
import { addKeyCheck, addObservation, createApp } from './app.js';
import { addConnections } from './connections.js';
import { IncomingBodies } from './incoming-bodies.js';
import { createMetrics } from './metrics.js';
import { type ResolvedServiceOptions, type ServiceOptions, serviceOptionsSchema } from './options.js';
import { addCompression, createRateLimit } from './plugins.js';
import { WorkQueue } from './queue.js';
import { addOperations, addOptimize, addShape } from './routes.js';

export interface Service {
  /** The Fastify instance: for your own hooks and routes before `listen`, and for `inject` in tests. */
  readonly app: FastifyInstance;
  /**
   * @returns the URL of the service.
   * @throws the error of the system if the service cannot listen on the address.
   */
  listen(): Promise<string>;
  /**
   * If the service listens, answers `/ready` with 503 and accepts requests for `drainMs`. Then rejects new requests, waits
   * at most `shutdownMs` for the accepted ones, and stops the workers.
   */
  close(): Promise<void>;
}

/**
 * Starts the workers, and creates the server that passes requests to them.
 *
 * @throws ContextShapingError `invalid-options`, also for a setup that cannot be loaded.
 */
export async function createService(given: ServiceOptions = {}): Promise<Service> {
  const options = parseOptions(serviceOptionsSchema, given) as ResolvedServiceOptions;
  const bodies = new IncomingBodies(options);
  const app = createApp(options, bodies);
  const metrics = createMetrics({
    waiting: () => queue.length,
    bodyBytes: () => bodies.held,
  });
  const threads = await startWorkers(options, (error) => {
    metrics.workerDied();
    app.log.warn({ failure: failureOf(error) }, 'worker ended');
  });
  const limits = { ...options, concurrency: Math.max(1, options.workers) };
  const queue = new WorkQueue(threads.run, limits, metrics.waited);
  let closing: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    closing = setTimeout(() => app.server.closeAllConnections(), options.shutdownMs);
    bodies.close();
    closeUnused();
  });
  // All connections are closed, so no client waits for the jobs that still run.
  app.addHook('onClose', async () => {
    clearTimeout(closing);
    await threads.close();
  });

  const isClosing = () => closing !== undefined;
  let drained: Promise<void> | undefined;
  const isLeaving = () => drained !== undefined || isClosing();
  const closeUnused = addConnections(app);
  addObservation(app, metrics, bodies, { isClosing, isLeaving });
  await addCompression(app);
  const limit = options.rateLimit && (await createRateLimit(app, options.rateLimit));
  addKeyCheck(app, options.apiKeys, limit);
  const submit: WorkQueue['submit'] = (job, left) => queue.submit(job, left);
  addShape(app, submit, limit);
  addOptimize(app, submit, limit);
  addOperations(app, metrics.registry, options.apiKeys.length > 0, () => !isLeaving() && threads.isAlive());

  const drain = () => {
    app.log.info({ drainMs: options.drainMs }, 'draining');
    return new Promise<void>((resolve) => setTimeout(resolve, options.drainMs));
  };
  return {
    app,
    listen: () => app.listen({ host: options.host, port: options.port }),
    async close() {
      if (options.drainMs > 0 && app.server.listening) drained ??= drain();
      await drained;
      await app.close();
    },
  };
}

async function startWorkers(
  options: ResolvedServiceOptions,
  onDeath: (error: unknown) => void,
): Promise<Threads> {
  const { workers, setup, embedder, maxChunks } = options;
  const forWorkers = { setup, embedder, maxChunks };
  if (workers > 0) return startThreads(workers, forWorkers, onDeath);
  const perform = await createPerform(forWorkers);
  const run: Threads['run'] = (job, { late, left }) => perform(job, AbortSignal.any([late, left]));
  return { run, isAlive: () => true, close: async () => {} };
}

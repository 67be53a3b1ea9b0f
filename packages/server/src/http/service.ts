import compress from '@fastify/compress';
import { parseOptions } from 'context-shaping/kit';
import type { FastifyInstance } from 'fastify';
import { failureOf } from '../workers/problems.js';
import type { Threads } from '../workers/threads.js';
import { addKeyCheck, addObservation, createApp } from './app.js';
import { createMetrics } from './metrics.js';
import { type ResolvedServiceOptions, type ServiceOptions, serviceOptionsSchema } from './options.js';
import { addOperations, addOptimize, addShape } from './routes.js';
import { createSubmit, startWorkers } from './submit.js';

/** Bodies may be compressed, in both directions. */
const ENCODINGS = ['br', 'gzip', 'deflate'] as const;

export interface Service {
  /** The Fastify instance: for your own hooks and routes before `listen`, and for `inject` in tests. */
  readonly app: FastifyInstance;
  /**
   * @returns the URL of the service.
   * @throws the error of the system if the service cannot listen on the address.
   */
  listen(): Promise<string>;
  /** Rejects new requests, waits at most `shutdownMs` for the accepted ones, and stops the workers. */
  close(): Promise<void>;
}

/**
 * Starts the workers, and creates the server that passes requests to them.
 *
 * @throws ContextShapingError `invalid-options`, also for a setup that cannot be loaded.
 */
export async function createService(given: ServiceOptions = {}): Promise<Service> {
  const options = parseOptions(serviceOptionsSchema, given) as ResolvedServiceOptions;
  const app = createApp(options);
  let threads: Threads | undefined;
  const metrics = createMetrics(() => threads?.waiting() ?? 0);
  const workers = await startWorkers(options, (error) => {
    metrics.workerDied();
    app.log.warn({ failure: failureOf(error) }, 'worker ended');
  });
  threads = workers;
  let closing: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    closing = setTimeout(() => app.server.closeAllConnections(), options.shutdownMs);
  });
  // All connections are closed, so no client waits for the jobs that still run.
  app.addHook('onClose', async () => {
    clearTimeout(closing);
    await workers.close();
  });

  addObservation(app, metrics, () => closing !== undefined);
  // Plugins see only routes that are added later.
  await app.register(compress, { encodings: [...ENCODINGS], requestEncodings: [...ENCODINGS] });
  addKeyCheck(app, options.apiKeys);
  const submit = createSubmit(workers.run, options, metrics.waited);
  addShape(app, submit);
  addOptimize(app, submit);
  addOperations(app, metrics.registry, options.apiKeys.length > 0, workers.isAlive);

  return {
    app,
    listen: () => app.listen({ host: options.host, port: options.port }),
    close: () => app.close(),
  };
}

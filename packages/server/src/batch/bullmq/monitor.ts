/** Metrics of a worker for Prometheus, and its health, over HTTP: counts and durations, no texts. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ContextShapingError } from 'context-shaping';
import { messageOf } from 'context-shaping/internal';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { countShaping } from '../../workers/counts.js';
import type { QueueWorker, WorkerEvents } from './worker.js';

export interface Monitor {
  /** For the worker. */
  events: WorkerEvents;
  /**
   * Serves `/metrics`, `/health` and `/ready`.
   *
   * @returns the address.
   * @throws ContextShapingError `service` if the port is taken.
   */
  listen(host: string, port: number, worker: QueueWorker): Promise<string>;
  close(): void;
}

export function createMonitor(): Monitor {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const counter = (what: string, help: string, label?: string) =>
    new Counter({
      name: `context_shaping_${what}`,
      help,
      labelNames: label === undefined ? [] : [label],
      registers,
    });
  const lines = counter('lines_total', 'Lines with an outcome.', 'outcome');
  const takenOver = counter('lines_taken_over_total', 'Lines of workers that ended without notice.');
  const deaths = counter('worker_restarts_total', 'Threads that died and were replaced.');
  const seconds = new Histogram({
    name: 'context_shaping_line_duration_seconds',
    help: 'Time from the arrival of a line to its outcome.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  let worker: QueueWorker | undefined;

  const server = createServer(async ({ method, url }, response) => {
    const path = url?.split('?')[0];
    if (method !== 'GET' && method !== 'HEAD') return send(response, 405, { status: 'only GET' });
    if (path === '/health') return send(response, 200, { status: 'ok' });
    if (path === '/ready') {
      const ready = worker?.isReady() === true;
      return send(response, ready ? 200 : 503, { status: ready ? 'ready' : 'unavailable' });
    }
    if (path !== '/metrics') return send(response, 404, { status: 'unknown path' });
    // While Redis is away, the numbers of the queue are left out.
    const queue = await worker?.queueMetrics().catch(() => undefined);
    const own = await registry.metrics();
    response.writeHead(200, { 'content-type': registry.contentType });
    response.end(queue === undefined ? own : `${own}${queue}\n`);
  });

  return {
    events: {
      line(outcome, duration) {
        lines.inc({ outcome });
        seconds.observe(duration);
      },
      shaped: countShaping(counter),
      takenOver: () => takenOver.inc(),
      died: () => deaths.inc(),
    },
    async listen(host, port, watched) {
      worker = watched;
      server.listen(port, host);
      try {
        await once(server, 'listening');
      } catch (cause) {
        throw new ContextShapingError('service', {
          field: 'metricsPort',
          value: port,
          is: `cannot be used: ${messageOf(cause)}`,
          remedy: 'Choose another port.',
          cause,
        });
      }
      const address = server.address() as AddressInfo;
      return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}

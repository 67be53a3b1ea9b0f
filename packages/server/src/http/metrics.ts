/** Metrics for Prometheus: counts and durations, no contents of requests. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Facts } from '../workers/jobs.js';

export interface Metrics {
  registry: Registry;
  began(): void;
  ended(labels: { route: string; method: string; status: number }, seconds: number): void;
  /** The work on a request begins, after it waited this long. */
  waited(seconds: number): void;
  shaped(facts: Facts): void;
  workerDied(): void;
}

/** Each service has its own registry, so that two services in one process count separately. */
export function createMetrics(waiting: () => number): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const name = (what: string) => `context_shaping_${what}`;
  const durations = new Histogram({
    name: name('http_request_duration_seconds'),
    help: 'Time from the start of a request to the end of its answer.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const inFlight = new Gauge({
    name: name('http_requests_in_flight'),
    help: 'Requests that are not yet answered.',
    registers,
  });
  new Gauge({
    name: name('queue_length'),
    help: 'Requests that are waiting for a worker.',
    registers,
    collect() {
      this.set(waiting());
    },
  });
  const waits = new Histogram({
    name: name('wait_seconds'),
    help: 'Time that a request waited for a worker.',
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const counter = (what: string, help: string, label?: string) =>
    new Counter({ name: name(what), help, labelNames: label === undefined ? [] : [label], registers });
  const chunks = counter('chunks_total', 'Chunks received and returned.', 'direction');
  const tokens = counter('tokens_total', 'Tokens received and returned.', 'direction');
  const evictions = counter('evictions_total', 'Evicted chunks.', 'reason');
  const degradations = counter('degradations_total', 'Degradations: fallbacks that were used.', 'code');
  const flags = counter('flags_total', 'Flagged chunks.', 'kind');
  const deaths = counter(
    'worker_restarts_total',
    'Workers that died or exceeded the time limit, and were replaced.',
  );
  return {
    registry,
    began: () => inFlight.inc(),
    ended(labels, seconds) {
      inFlight.dec();
      durations.observe(labels, seconds);
    },
    shaped(facts) {
      chunks.inc({ direction: 'in' }, facts.chunksIn);
      chunks.inc({ direction: 'out' }, facts.chunksOut);
      tokens.inc({ direction: 'in' }, facts.tokensIn);
      tokens.inc({ direction: 'out' }, facts.tokensOut);
      for (const [reason, count] of Object.entries(facts.evictions)) evictions.inc({ reason }, count);
      for (const code of facts.degradations) degradations.inc({ code });
      for (const kind of facts.flags) flags.inc({ kind });
    },
    waited: (seconds) => waits.observe(seconds),
    workerDied: () => deaths.inc(),
  };
}

/** The HTTP side of the service, in the main thread: limits, keys, ids, logs, metrics. */

import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import { CLIENT_GONE } from '../workers/problems.js';
import { type ApiKey, createKeyCheck } from './api-keys.js';
import type { Metrics } from './metrics.js';
import type { ResolvedServiceOptions } from './options.js';
import { addErrorReplies, sendError } from './replies.js';

/** Longest time for a request to arrive completely, in milliseconds. */
const ARRIVAL = 30_000;

/** Writes lines to standard output. If that fails, for instance because the disk is full, lines are lost and the service runs on. */
const LOG = {
  write(line: string): void {
    try {
      writeSync(1, line);
    } catch {}
  },
};

export function createApp(options: ResolvedServiceOptions): FastifyInstance {
  const { logger } = options;
  const app = Fastify({
    logger: logger === false ? false : { level: logger === true ? 'info' : logger, stream: LOG },
    // The log lines of Fastify would contain URLs with query strings.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    requestIdHeader: 'x-request-id',
    genReqId: () => randomUUID(),
    bodyLimit: options.bodyLimit,
    // FastAPI redirects URLs with a trailing slash; this service answers them directly.
    routerOptions: { ignoreTrailingSlash: true },
    // The first limit is for slow senders. The second one is for slow readers, and includes the wait and the work.
    requestTimeout: ARRIVAL,
    connectionTimeout: 2 * options.timeLimitMs + ARRIVAL,
    http: {
      requestTimeout: ARRIVAL,
      // Node ignores requestTimeout if headersTimeout is longer.
      headersTimeout: ARRIVAL,
      connectionsCheckingInterval: 5000,
    },
    // No hook runs for a request with a malformed URL.
    frameworkErrors: (error, request, reply) => {
      sendError(error, request, reply.headers(headersFor(request)));
    },
  });
  // Workers parse bodies.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => body,
  );
  app.decorateRequest('keyName', null);
  app.decorateRequest('facts', null);
  addErrorReplies(app);
  return app;
}

const headersFor = ({ id }: FastifyRequest) => ({ 'x-request-id': id, 'x-content-type-options': 'nosniff' });

/**
 * Call this before the plugins, because they answer some requests themselves.
 *
 * @param isClosing whether an answer ends its connection.
 */
export function addObservation(app: FastifyInstance, metrics: Metrics, isClosing: () => boolean): void {
  app.addHook('onRequest', async (request, reply) => {
    const began = performance.now();
    metrics.began();
    reply.headers(headersFor(request));
    // Fires when the reply is finished and when the connection is aborted.
    reply.raw.once('close', () => {
      const { method, keyName, facts } = request;
      const route = request.routeOptions.url ?? 'unknown';
      const status = reply.raw.writableFinished ? reply.statusCode : CLIENT_GONE;
      const milliseconds = Math.round(performance.now() - began);
      metrics.ended({ route, method, status }, milliseconds / 1000);
      if (facts !== null) metrics.shaped(facts);
      const key = keyName === null ? {} : { key: keyName };
      request.log.info({ method, route, status, milliseconds, ...key, ...facts }, 'request');
    });
  });
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing()) reply.header('connection', 'close');
  });
}

export function addKeyCheck(app: FastifyInstance, apiKeys: readonly ApiKey[]): void {
  if (apiKeys.length === 0) return;
  const nameOfKey = createKeyCheck(apiKeys);
  app.addHook('onRequest', async (request) => {
    if (!request.is404 && !request.routeOptions.config.open) request.keyName = nameOfKey(request);
  });
}

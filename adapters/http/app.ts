/** The HTTP side of the service, in the main thread: limits, keys, ids, logs, metrics. */
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import Fastify, {
  type FastifyInstance,
  type FastifyRequest,
  LogController,
  type onRequestAsyncHookHandler,
} from 'fastify';
import { ContextShapingError } from '../../src/index.js';
import { type ApiKey, createKeyCheck } from './api-keys.js';
import type { IncomingBodies } from './incoming-bodies.js';
import type { Metrics } from './metrics.js';
import type { ResolvedServiceOptions } from './options.js';
import { CLIENT_GONE, HttpProblem, problem } from './problems.js';
import { addErrorReplies, sendError } from './replies.js';

/** Ids that callers send, if they cannot do harm in a log or a header. */
const REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;

/** Standard output, line by line. A disk that is full, or a reader that is slow or gone, costs lines, not the service. */
const LOG = {
  write(line: string): void {
    try {
      writeSync(1, line);
    } catch {}
  },
};

/** @throws ContextShapingError `invalid-options`, if `trustProxy` lists what is no address. */
export function createApp(options: ResolvedServiceOptions, bodies: IncomingBodies): FastifyInstance {
  let app: FastifyInstance;
  try {
    app = createServer(options);
  } catch (cause) {
    throw new ContextShapingError('invalid-options', {
      field: 'trustProxy',
      value: options.trustProxy,
      is: 'lists what is no address',
      remedy: 'Give addresses or subnets with commas between them: "10.0.0.0/8, 127.0.0.1".',
      cause,
    });
  }
  // Workers read and write bodies. Schemas are there for the document.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) =>
    bodies.read(request, payload),
  );
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.decorateRequest('keyName', null);
  app.decorateRequest('facts', null);
  app.decorateRequest('bodyBytes', 0);
  addErrorReplies(app, options.bodyLimit, () => bodies.isClosed);
  return app;
}

function createServer(options: ResolvedServiceOptions): FastifyInstance {
  const { logger } = options;
  return Fastify({
    logger: logger === false ? false : { level: logger === true ? 'info' : logger, stream: LOG },
    // Its own lines would have addresses with query strings.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: ({ headers }) => {
      const given = headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    },
    bodyLimit: options.bodyLimit,
    // FastAPI sends such callers to the right address; here they are there.
    routerOptions: { ignoreTrailingSlash: true },
    trustProxy: options.trustProxy,
    // Slow senders; then, with time to wait and for the work, slow readers.
    requestTimeout: options.requestTimeoutMs,
    connectionTimeout: 2 * options.timeLimitMs + options.requestTimeoutMs,
    http: {
      requestTimeout: options.requestTimeoutMs,
      // As long as Node waits longer for headers, it does not look at the time of the whole.
      headersTimeout: options.requestTimeoutMs,
      connectionsCheckingInterval: Math.min(options.requestTimeoutMs, 5000),
    },
    return503OnClosing: false,
    // Where not even the address can be read, no hook runs.
    frameworkErrors: (error, request, reply) => {
      sendError(error, request, reply.headers(headersFor(request)));
    },
  });
}

const headersFor = ({ id }: FastifyRequest) => ({ 'x-request-id': id, 'x-content-type-options': 'nosniff' });

/** Before the plugins, for they answer some requests themselves. */
export function addObservation(
  app: FastifyInstance,
  metrics: Metrics,
  bodies: IncomingBodies,
  isClosing: () => boolean,
): void {
  app.addHook('onRequest', async (request, reply) => {
    const began = performance.now();
    metrics.began();
    reply.headers(headersFor(request));
    // On finish and on abort.
    reply.raw.once('close', () => {
      bodies.release(request);
      const { method, keyName, facts } = request;
      const route = request.routeOptions.url ?? 'unknown';
      const status = reply.raw.writableFinished ? reply.statusCode : CLIENT_GONE;
      const milliseconds = Math.round(performance.now() - began);
      metrics.ended({ route, method, status }, milliseconds / 1000);
      if (facts !== null) metrics.shaped(facts);
      // Its stream of events may have begun before the closing did.
      if (isClosing()) app.server.closeIdleConnections();
      const key = keyName === null ? {} : { key: keyName };
      request.log.info({ method, route, status, milliseconds, ...key, ...facts }, 'request');
    });
    if (isClosing()) throw new HttpProblem(problem(503, 'The service is closing.'), { 'retry-after': '1' });
  });
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing()) reply.header('connection', 'close');
  });
}

/**
 * After the plugins, so that a preflight of CORS needs no key.
 *
 * @param limit counts requests without a key that is known, by address: else keys could be tried out without end.
 */
export function addKeyCheck(
  app: FastifyInstance,
  apiKeys: readonly ApiKey[],
  limit: onRequestAsyncHookHandler | undefined,
): void {
  if (apiKeys.length === 0) return;
  const nameOfKey = createKeyCheck(apiKeys);
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404 || request.routeOptions.config.open) return;
    try {
      request.keyName = nameOfKey(request);
    } catch (error) {
      await limit?.call(app, request, reply);
      throw error;
    }
  });
}

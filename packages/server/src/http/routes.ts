/** The routes: two that shape chunks, and the operational endpoints. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { Job } from '../workers/jobs.js';
import { CLIENT_GONE, HttpProblem, problem } from '../workers/problems.js';
import { openapi } from './openapi.js';
import { sendAnswer } from './replies.js';
import type { Submit } from './submit.js';

/** `POST /v1/shape`. */
export function addShape(app: FastifyInstance, submit: Submit): void {
  app.post('/v1/shape', async (request, reply) => {
    if (!isJson(request)) throw notJson();
    const job = {
      kind: 'shape' as const,
      body: bodyOf(request),
      isJson: true,
      trace: traceOf(request),
    };
    return sendAnswer(request, reply, await submit(job, leaving(reply)));
  });
}

/** `POST /v1/optimize`: the contract of SlimContext. */
export function addOptimize(app: FastifyInstance, submit: Submit): void {
  const config = { errors: 'detail' as const };
  app.post('/v1/optimize', { config }, async (request, reply) => {
    // FastAPI reads a body without a content type as JSON.
    const json = isJson(request) || request.headers['content-type'] === undefined;
    const job = { kind: 'optimize' as const, body: bodyOf(request), isJson: json };
    return sendAnswer(request, reply, await submit(job, leaving(reply)));
  });
}

/** Operational endpoints. */
export function addOperations(
  app: FastifyInstance,
  registry: Registry,
  secured: boolean,
  isReady: () => boolean,
): void {
  const document = openapi(secured);
  app.get('/health', { config: { open: true } }, async () => ({ status: 'ok' }));
  app.get('/ready', { config: { open: true } }, async (_request, reply) => {
    const ready = isReady();
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'unavailable' });
  });
  app.get('/metrics', async (_request, reply) =>
    reply.header('content-type', registry.contentType).send(await registry.metrics()),
  );
  app.get('/openapi.json', async () => document);
}

/** `application/json`, or another type that ends in `+json`. */
function isJson({ headers }: FastifyRequest): boolean {
  return /^application\/(?:[\w.+-]+\+)?json *(?:;|$)/i.test(headers['content-type'] ?? '');
}

const notJson = () =>
  new HttpProblem(
    problem(415, 'The body must be JSON.', { remedy: 'Send it with "Content-Type: application/json".' }),
  );

const bodyOf = ({ body }: FastifyRequest): Uint8Array => (body as Buffer | undefined) ?? new Uint8Array();

/** Aborts when the client disconnects before the answer is sent. */
function leaving({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished)
      controller.abort(new HttpProblem(problem(CLIENT_GONE, 'The client disconnected.')));
  });
  return controller.signal;
}

/** The headers of W3C Trace Context and Baggage. */
function traceOf({ headers }: FastifyRequest): Job['trace'] {
  const names = ['traceparent', 'tracestate', 'baggage'];
  const found = names.flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

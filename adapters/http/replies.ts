/** How answers and errors are sent. */
import type { IncomingMessage } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Answer, Facts } from './jobs.js';
import {
  CLIENT_GONE,
  failureOf,
  HttpProblem,
  internalProblem,
  PROBLEM_JSON,
  type Problem,
  problem,
} from './problems.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the key that it came with; null without keys. */
    keyName: string | null;
    facts: Facts | null;
    /** How much of its body is held in memory. */
    bodyBytes: number;
  }
  interface FastifyContextConfig {
    /** Errors as `{ "detail": … }`, as FastAPI writes them. */
    errors?: 'detail';
    /** Needs no key. */
    open?: boolean;
  }
}

export function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  noteAnswer(request, answer);
  const { status, contentType, body } = answer;
  const bytes = typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return reply.code(status).header('content-type', contentType).send(bytes);
}

/** Keeps what the log and the metrics will want. */
export function noteAnswer(request: FastifyRequest, { facts, failure }: Answer): void {
  request.facts = facts ?? null;
  if (failure !== undefined) request.log.error({ failure }, 'request failed');
}

export function addErrorReplies(app: FastifyInstance, bodyLimit: number, isClosing: () => boolean): void {
  app.setErrorHandler(async (error, request, reply) => {
    if (!isClosing()) await readOn(request.raw, 2 * bodyLimit);
    return sendError(error, request, reply);
  });
  const methods = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = methods.get(url) ?? new Set();
    for (const each of [method].flat()) known.add(each);
    methods.set(url, known);
  });
  // FastAPI's words, service-wide: what is asked for here may be meant for SlimContext.
  app.setNotFoundHandler((request, reply) => {
    const allowed = methods.get(request.url.split('?', 1)[0] as string);
    if (allowed === undefined) return reply.code(404).send({ detail: 'Not Found' });
    return reply
      .code(405)
      .header('allow', [...allowed].join(', '))
      .send({ detail: 'Method Not Allowed' });
  });
}

const MOST_MILLISECONDS = 5000;

/** Whoever is still sending when the connection is closed sees that, and not the answer. What comes is thrown away. */
async function readOn(request: IncomingMessage, mostBytes: number): Promise<void> {
  if (request.complete || request.readableEnded || request.destroyed) return;
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    timer = setTimeout(resolve, MOST_MILLISECONDS);
    let bytes = 0;
    request.on('data', ({ length }: Buffer) => {
      bytes += length;
      if (bytes > mostBytes) resolve();
    });
    for (const end of ['end', 'close', 'error']) request.once(end, () => resolve());
    request.resume();
  });
  clearTimeout(timer);
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const found = noteError(request, error);
  if (error instanceof HttpProblem) reply.headers(error.headers);
  reply.code(found.status);
  return request.routeOptions?.config?.errors === 'detail'
    ? reply.type('application/json').send(JSON.stringify({ detail: found.detail }))
    : reply.header('content-type', PROBLEM_JSON).send(JSON.stringify(found));
}

/** What the caller may know of an error; the log gets what is the service's own fault. */
export function noteError(request: FastifyRequest, error: unknown): Problem {
  const found = problemOf(error);
  if (found.status === 500) request.log.error({ failure: failureOf(error) }, 'request failed');
  return found;
}

/** Of whatever was thrown; what Fastify and its plugins throw says its status. */
function problemOf(error: unknown): Problem {
  if (error instanceof HttpProblem) return error.problem;
  const { statusCode = 500, code, message } = (error ?? {}) as Partial<FastifyError>;
  if (code === 'ERR_STREAM_PREMATURE_CLOSE') return problem(CLIENT_GONE, 'The caller has gone.');
  if (statusCode < 400 || statusCode > 499) return internalProblem();
  // The message quotes the address, and with it the caller.
  return problem(statusCode, code === 'FST_ERR_BAD_URL' ? 'The address is malformed.' : (message ?? ''));
}

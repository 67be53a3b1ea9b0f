/** Sends answers and errors. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Answer, Facts } from '../workers/jobs.js';
import {
  CLIENT_GONE,
  failureOf,
  HttpProblem,
  internalProblem,
  PROBLEM_JSON,
  type Problem,
  problem,
} from '../workers/problems.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Name of the API key; null if there is none. */
    keyName: string | null;
    facts: Facts | null;
  }
  interface FastifyContextConfig {
    /** Errors have the form `{ "detail": … }`, as in FastAPI. */
    errors?: 'detail';
    /** The route needs no API key. */
    open?: boolean;
  }
}

export function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  const { status, body = '', problem, facts, failure } = answer;
  // For the log and the metrics.
  request.facts = facts ?? null;
  if (failure !== undefined) request.log.error({ failure }, 'request failed');
  if (problem !== undefined) return sendProblem(problem, request, reply);
  const bytes = typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(bytes);
}

export function addErrorReplies(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    // Fastify would end the connection, and a client that is still sending would miss the answer.
    reply.removeHeader('connection');
    return sendError(error, request, reply);
  });
  // The wording of FastAPI on all routes, because clients of SlimContext may expect it.
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ detail: 'Not Found' }));
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const found = problemOf(error);
  if (found.status === 500) request.log.error({ failure: failureOf(error) }, 'request failed');
  if (error instanceof HttpProblem) reply.headers(error.headers);
  return sendProblem(found, request, reply);
}

function sendProblem(found: Problem, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.code(found.status);
  return request.routeOptions?.config?.errors === 'detail'
    ? reply.type('application/json').send(JSON.stringify({ detail: found.detail }))
    : reply.header('content-type', PROBLEM_JSON).send(JSON.stringify(found));
}

/** The problem for any thrown value. Errors of Fastify and its plugins have a status. */
function problemOf(error: unknown): Problem {
  if (error instanceof HttpProblem) return error.problem;
  const { statusCode = 500, code, message } = (error ?? {}) as Partial<FastifyError>;
  if (code === 'ERR_STREAM_PREMATURE_CLOSE') return problem(CLIENT_GONE, 'The client disconnected.');
  if (statusCode < 400 || statusCode > 499) return internalProblem();
  // The message of Fastify would quote the URL of the request.
  return problem(statusCode, code === 'FST_ERR_BAD_URL' ? 'The URL is malformed.' : (message ?? ''));
}

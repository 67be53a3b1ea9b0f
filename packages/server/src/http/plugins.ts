/** The plugins of Fastify that the service uses. */
import compress from '@fastify/compress';
import rateLimit, { normalizeIP } from '@fastify/rate-limit';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { HttpProblem, problem } from '../workers/problems.js';
import type { ResolvedServiceOptions } from './options.js';

const ENCODINGS = ['br', 'gzip', 'deflate'] as const;

/** Bodies may be compressed. Call this before adding routes: plugins see only routes that are added later. */
export async function addCompression(app: FastifyInstance): Promise<void> {
  await app.register(compress, { encodings: [...ENCODINGS], requestEncodings: [...ENCODINGS] });
}

/** Counts requests to all limited routes together, per key or else per address; IPv6 per network of one customer. */
export async function createRateLimit(
  app: FastifyInstance,
  { max, windowMs }: NonNullable<ResolvedServiceOptions['rateLimit']>,
): Promise<onRequestAsyncHookHandler> {
  await app.register(rateLimit, {
    global: false,
    max,
    timeWindow: windowMs,
    keyGenerator: ({ keyName, ip }) => (keyName === null ? `address ${normalizeIP(ip)}` : `key ${keyName}`),
    errorResponseBuilder: (_request, { after }) =>
      new HttpProblem(
        problem(429, `There were more than ${max} requests in ${windowMs} ms.`, {
          remedy: `Retry in ${after}.`,
        }),
      ),
  });
  return app.rateLimit() as unknown as onRequestAsyncHookHandler;
}

/** The plugins of Fastify that the service uses. */
import { createRequire } from 'node:module';
import compress from '@fastify/compress';
import cors from '@fastify/cors';
import rateLimit, { normalizeIP } from '@fastify/rate-limit';
import swagger from '@fastify/swagger';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { HttpProblem, problem } from '../workers/problems.js';
import type { ResolvedServiceOptions } from './options.js';

const { version } = createRequire(import.meta.url)('context-shaping/package.json');

const ENCODINGS = ['br', 'gzip', 'deflate'] as const;

/** Call this before adding routes: plugins see only routes that are added later. */
export async function addPlugins(app: FastifyInstance, options: ResolvedServiceOptions): Promise<void> {
  await app.register(compress, { encodings: [...ENCODINGS], requestEncodings: [...ENCODINGS] });
  if (options.cors !== undefined) {
    await app.register(cors, {
      origin: options.cors.includes('*') ? '*' : options.cors,
      methods: ['GET', 'POST'],
      exposedHeaders: ['x-request-id', 'retry-after'],
    });
  }
  const secured = options.apiKeys.length > 0;
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'context-shaping',
        description: 'Shapes retrieval results into the best evidence that fits a token budget.',
        version,
      },
      tags: [
        { name: 'shaping', description: 'Shaping of retrieved chunks.' },
        { name: 'operations', description: 'Operational endpoints.' },
      ],
      ...(secured && {
        components: {
          securitySchemes: {
            bearer: { type: 'http', scheme: 'bearer' },
            apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
          },
        },
        security: [{ bearer: [] }, { apiKey: [] }],
      }),
    },
  });
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

/** What those ask who run the service. */
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { healthDocument, metricsDocument, openapiDocument, readyDocument } from '../documents.js';

export function addOperations(app: FastifyInstance, registry: Registry, isReady: () => boolean): void {
  app.get('/health', { schema: healthDocument, config: { open: true } }, async () => ({ status: 'ok' }));
  app.get('/ready', { schema: readyDocument, config: { open: true } }, async (_request, reply) => {
    const ready = isReady();
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'unavailable' });
  });
  app.get('/metrics', { schema: metricsDocument }, async (_request, reply) =>
    reply.header('content-type', registry.contentType).send(await registry.metrics()),
  );
  app.get('/openapi.json', { schema: openapiDocument }, async () => app.swagger());
}

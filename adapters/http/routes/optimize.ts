/** `POST /v1/optimize`: the contract of SlimContext. */
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { optimizeDocument } from '../documents.js';
import { sendAnswer } from '../replies.js';
import { bodyOf, isJson, leaving, type Submit } from './work-route.js';

export function addOptimize(app: FastifyInstance, submit: Submit, limit?: onRequestAsyncHookHandler): void {
  const onRequest = limit === undefined ? [] : [limit];
  const config = { errors: 'detail' as const };
  app.post('/v1/optimize', { schema: optimizeDocument, onRequest, config }, async (request, reply) => {
    // FastAPI takes a body of no type for JSON.
    const json = isJson(request) || request.headers['content-type'] === undefined;
    const job = { kind: 'optimize' as const, body: bodyOf(request), isJson: json };
    return sendAnswer(request, reply, await submit(job, leaving(reply)));
  });
}

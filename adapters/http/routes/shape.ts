/** `POST /v1/shape`. */
import { PassThrough } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { shapeDocument } from '../documents.js';
import { noteAnswer, noteError, sendAnswer } from '../replies.js';
import type { Answer, OnStage } from '../work.js';
import { bodyOf, isJson, leaving, requireJson, type Submit } from './work-route.js';

export function addShape(app: FastifyInstance, submit: Submit, limit?: onRequestAsyncHookHandler): void {
  const onRequest = limit === undefined ? [] : [limit];
  app.post('/v1/shape', { schema: shapeDocument, onRequest }, async (request, reply) => {
    requireJson(request);
    const left = leaving(reply);
    const ask = (onStage?: OnStage) =>
      submit({ kind: 'shape', body: bodyOf(request), isJson: isJson(request) }, left, onStage);
    if (wantsEvents(request)) return sendEvents(request, reply, ask);
    return sendAnswer(request, reply, await ask());
  });
}

const wantsEvents = ({ headers }: FastifyRequest) => /\btext\/event-stream\b/i.test(headers.accept ?? '');

/**
 * Server-sent events: `stage` as each stage ends, then `result`, or `error` with the problem. What is wrong before the
 * first stage has ended is answered as without events, under a status of its own.
 */
async function sendEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  ask: (onStage: OnStage) => Promise<Answer>,
): Promise<FastifyReply> {
  const stream = new PassThrough();
  const send = (name: string, data: string | Uint8Array) => {
    // Whoever has gone wants no more of it.
    if (stream.destroyed) return;
    stream.write(`event: ${name}\ndata: `);
    stream.write(data);
    stream.write('\n\n');
  };
  let answered: Promise<Answer> | undefined;
  const early = await new Promise<Answer | undefined>((resolve, reject) => {
    answered = ask((event) => {
      send('stage', JSON.stringify(event));
      resolve(undefined);
    });
    answered.then(resolve, reject);
  });
  if (early !== undefined && early.status !== 200) return sendAnswer(request, reply, early);
  answered
    ?.then((answer) => {
      noteAnswer(request, answer);
      send(answer.status === 200 ? 'result' : 'error', answer.body);
    })
    .catch((error) => send('error', JSON.stringify(noteError(request, error))))
    .finally(() => stream.end());
  return reply
    .headers({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // Proxies of the kind of nginx would collect events otherwise.
      'x-accel-buffering': 'no',
    })
    .send(stream);
}

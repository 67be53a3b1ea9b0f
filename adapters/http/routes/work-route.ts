/** What the two routes that shape share. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CLIENT_GONE, HttpProblem, problem } from '../problems.js';
import type { Answer, Job, OnStage } from '../work.js';

/** Has a job done, in its turn. */
export type Submit = (job: Job, left: AbortSignal, onStage?: OnStage) => Promise<Answer>;

/** `application/json`, or another type that ends in `+json`. */
export function isJson({ headers }: FastifyRequest): boolean {
  return /^application\/(?:[\w.+-]+\+)?json *(?:;|$)/i.test(headers['content-type'] ?? '');
}

export function requireJson(request: FastifyRequest): void {
  if (isJson(request)) return;
  throw new HttpProblem(
    problem(415, 'The body has to be JSON.', { remedy: 'Send it with "Content-Type: application/json".' }),
  );
}

export const bodyOf = ({ body }: FastifyRequest): Uint8Array =>
  (body as Buffer | undefined) ?? new Uint8Array();

/** Aborted when the caller goes away before the answer is there. */
export function leaving({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished)
      controller.abort(new HttpProblem(problem(CLIENT_GONE, 'The caller has gone.')));
  });
  return controller.signal;
}

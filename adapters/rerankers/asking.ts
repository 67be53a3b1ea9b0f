/** Calls of rerankers that are objects of other libraries: time limit, retries, errors with a remedy. */
import * as z from 'zod';
import { connectionProblem, messageOf, rethrowControlFlow, within } from '../../src/internal.js';
import { timeoutMs } from '../json-service/index.js';
import { isPermanent, serviceError, withRetries } from '../model-calls/index.js';
import { SCALES, type Scale } from './reranking.js';

/** The options of every reranker that is an object of another library. */
export const objectOptions = {
  scale: z.enum(SCALES).default('probability'),
  maxRetries: z.int().min(0).default(2),
  timeoutMs: timeoutMs.optional(),
};

export interface ObjectOptions {
  /** The scale of the scores: probabilities of 0..1, or log-odds in nats. Default `'probability'`. */
  scale?: Scale | undefined;
  /** How often a failed call is repeated, with growing pauses, in addition to the retries of the class. Default 2. */
  maxRetries?: number | undefined;
  /** Longest wait for one answer, in whole milliseconds. Default: no limit but that of the class. */
  timeoutMs?: number | undefined;
}

/**
 * @param name of the reranker, for errors.
 * @throws ContextShapingError `service`, if the last attempt fails; the signal's reason, when aborted.
 */
export async function asked<T>(
  name: string,
  { maxRetries, timeoutMs }: { maxRetries: number; timeoutMs?: number | undefined },
  signal: AbortSignal | undefined,
  call: (options: { signal: AbortSignal }) => Promise<T>,
): Promise<{ answer: T; attempts: number }> {
  let attempts = 0;
  const last = await withRetries<T, unknown>(maxRetries, signal, async () => {
    signal?.throwIfAborted();
    attempts++;
    try {
      return { result: await within(timeoutMs, signal, (own) => call({ signal: own })) };
    } catch (error) {
      rethrowControlFlow(error, signal);
      return { failure: error, again: !isPermanent(error) && connectionProblem(error) === undefined };
    }
  });
  if ('result' in last) return { answer: last.result, attempts };
  throw serviceError(
    name,
    messageOf(last.failure),
    'fails to rerank',
    'Check the key, the address and the model of the reranker, and read the log of its service.',
    last.failure,
  );
}

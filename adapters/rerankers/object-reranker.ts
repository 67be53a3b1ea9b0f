/** Rerankers that are objects of other libraries: time limit, retries, errors with a remedy, checked answers. */
import * as z from 'zod';
import type { Reranker } from '../../src/index.js';
import { connectionProblem, messageOf, rethrowControlFlow, within } from '../../src/internal.js';
import { timeoutMs } from '../json-service/index.js';
import { isPermanent, serviceError, withRetries } from '../model-calls/index.js';
import {
  inOrder,
  type Malformed,
  malformedBy,
  nothingToRank,
  type Ranked,
  SCALES,
  type Scale,
} from './reranking.js';

/** The options of every reranker that is an object of another library. */
export const objectOptions = {
  scale: z.enum(SCALES).default('probability'),
  maxRetries: z.int().min(0).default(2),
  timeoutMs: timeoutMs.optional(),
};

const optionsSchema = z.strictObject(objectOptions);

export interface ObjectOptions {
  /** The scale of the scores: probabilities of 0..1, or log-odds in nats. Default `'probability'`. */
  scale?: Scale | undefined;
  /** How often a failed call is repeated, with growing pauses, in addition to the retries of the class. Default 2. */
  maxRetries?: number | undefined;
  /** Longest wait for one answer, in whole milliseconds. Default: no limit but that of the class. */
  timeoutMs?: number | undefined;
}

interface Wrapped {
  provider: string;
  modelId: string;
  /** The identity of the model, also for errors. */
  name: string;
  ask(query: string, texts: readonly string[], signal: AbortSignal): PromiseLike<unknown>;
  /** The scores in an answer: one for each text, null where it has none. */
  read(answer: unknown, count: number, malformed: Malformed): Ranked[];
}

/** @param options parsed by {@link objectOptions}. */
export function objectReranker(
  { provider, modelId, name, ask, read }: Wrapped,
  { scale, maxRetries, timeoutMs }: z.output<typeof optionsSchema>,
): Reranker {
  const malformed = malformedBy(name);
  return {
    specificationVersion: 'v1',
    provider,
    modelId,
    async identify({ signal } = {}) {
      signal?.throwIfAborted();
      return scale === 'probability' ? name : `${name}:${scale}`;
    },
    async rerank(query, texts, { signal } = {}) {
      signal?.throwIfAborted();
      if (texts.length === 0) return nothingToRank(scale);
      let requests = 0;
      const last = await withRetries<unknown, unknown>(maxRetries, signal, async () => {
        signal?.throwIfAborted();
        requests++;
        try {
          return { result: await within(timeoutMs, signal, async (own) => ask(query, texts, own)) };
        } catch (error) {
          rethrowControlFlow(error, signal);
          return { failure: error, again: !isPermanent(error) && connectionProblem(error) === undefined };
        }
      });
      if (!('result' in last)) throw failed(name, last.failure);
      const ranked = read(last.result, texts.length, malformed);
      return { scores: inOrder(ranked, texts.length, scale, malformed), scale, usage: { requests } };
    },
  };
}

function failed(name: string, cause: unknown) {
  const remedy = 'Check the key, the address and the model of the reranker, and read the log of its service.';
  return serviceError(name, messageOf(cause), 'fails to rerank', remedy, cause);
}

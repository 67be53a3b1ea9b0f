import { AsyncCaller } from '@langchain/core/utils/async_caller';
import * as z from 'zod/mini';
import type { Embedder } from '../../src/index.js';
import { connectionProblem, invalidInput, lazily, orAborted, parseOptions } from '../../src/internal.js';
import { batchesOf, checkMethods, failingFast, unreachable, withFastFailures } from '../model-calls/index.js';

const optionsSchema = lazily(() =>
  z.strictObject({
    batchSize: z._default(z.int().check(z.minimum(1)), 96),
    maxConcurrency: z._default(z.int().check(z.minimum(1)), 4),
    maxRetries: z._default(z.int().check(z.minimum(0)), 2),
  }),
);

/** The methods that this package uses of LangChain `Embeddings`. */
export interface EmbeddingsLike {
  embedDocuments(texts: string[]): Promise<ArrayLike<number>[]>;
  embedQuery(text: string): Promise<ArrayLike<number>>;
}

export interface LangChainEmbeddingsOptions {
  /** The largest number of texts in one request: many classes send all texts at once. Default 96. */
  batchSize?: number | undefined;
  /** The largest number of requests under way at once, over all calls of this embedder. Default 4. */
  maxConcurrency?: number | undefined;
  /** How often a failed request is repeated, with growing pauses, in addition to the retries of the class. Default 2. */
  maxRetries?: number | undefined;
}

/**
 * Any LangChain `Embeddings` as an embedder. The query goes through `embedQuery`, all other texts through
 * `embedDocuments`, since some models embed them differently.
 *
 * Blank texts are not sent, since some services refuse a whole batch because of one; their vectors are all zero. When
 * the signal aborts, or another batch of the same call fails for good, waiting requests are dropped. Requests under way
 * run to their end, since `Embeddings` take no signal. A refused connection is not repeated, neither here nor by the
 * class.
 *
 * @throws ContextShapingError `invalid-options`, if `embeddings` or an option is malformed; when embedding `service`, if
 *   nothing listens at the address.
 */
export function fromLangChainEmbeddings(
  embeddings: EmbeddingsLike,
  options: LangChainEmbeddingsOptions = {},
): Embedder {
  const methods = ['embedDocuments', 'embedQuery'];
  checkMethods('embeddings', embeddings, methods, 'Give an instance of a LangChain Embeddings class.');
  const { batchSize, ...limits } = parseOptions(optionsSchema(), options);
  const calling = withFastFailures(embeddings);
  const caller = failingFast(new AsyncCaller(limits));

  return {
    specificationVersion: 'v1',
    provider: 'langchain',
    ...modelOf(embeddings),
    async embed(texts, { queryIndex, signal }) {
      signal?.throwIfAborted();
      const failed = new AbortController();
      const stop = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
      const vectors = new Map<number, ArrayLike<number>>();
      const send = async <T>(
        at: readonly number[],
        request: (model: EmbeddingsLike) => Promise<T>,
        read: (answer: T) => readonly ArrayLike<number>[],
      ) => {
        const answer = await caller.call(async () => {
          if (stop.aborted) throw dropped(stop);
          return calling(request);
        });
        for (const [nth, vector] of read(answer).entries()) vectors.set(at[nth] as number, vector);
      };

      const someText = texts.some((text) => !isBlank(text));
      const indexes = [...texts.keys()].filter((index) => !someText || !isBlank(texts[index] as string));
      // First in the queue: without the query no chunk can be ranked.
      const queries = indexes.filter((index) => index === queryIndex);
      const documents = indexes.filter((index) => index !== queryIndex);
      const requests = [
        ...queries.map((at) =>
          send(
            [at],
            (model) => model.embedQuery(texts[at] as string),
            (vector) => [vector],
          ),
        ),
        ...batchesOf(documents, batchSize).map((batch) =>
          send(
            batch,
            (model) => model.embedDocuments(batch.map((index) => texts[index] as string)),
            (answer) => checked(answer, batch.length),
          ),
        ),
      ];
      try {
        // Not callWithOptions({ signal }): it adds a listener per request, and Node warns from the eleventh on.
        await orAborted(Promise.all(requests), stop);
      } catch (error) {
        failed.abort(error);
        const problem = connectionProblem(error);
        if (problem === undefined) throw error;
        throw unreachable(embeddings.constructor?.name ?? 'embeddings', problem, error);
      }
      const blank = new Float32Array([...vectors.values()][0]?.length ?? 0);
      // Not `?? blank`: null from a service must fail the check, and not become a blank text.
      return texts.map((_, index) =>
        vectors.has(index) ? (vectors.get(index) as ArrayLike<number>) : blank,
      );
    },
  };
}

/** The class, its model, and the length of its vectors if the class has it; nothing, if it names no model. */
function modelOf(embeddings: EmbeddingsLike): { modelId?: string } {
  const { model, modelName = model, dimensions } = embeddings as unknown as Record<string, unknown>;
  if (typeof modelName !== 'string' || modelName === '') return {};
  const known = [embeddings.constructor?.name, modelName, dimensions];
  return {
    modelId: known
      .filter((part) => typeof part === 'number' || (typeof part === 'string' && part !== ''))
      .join('/'),
  };
}

const isBlank = (text: string) => text.trim() === '';

/** The error of a dropped request. AsyncCaller does not retry an error with this name. */
function dropped(signal: AbortSignal): Error {
  const error = new Error('This request was dropped.', { cause: signal.reason });
  error.name = 'AbortError';
  return error;
}

function checked(answer: ArrayLike<number>[], expected: number): ArrayLike<number>[] {
  if (Array.isArray(answer) && answer.length === expected) return answer;
  throw invalidInput(
    'embeddings.embedDocuments',
    Array.isArray(answer) ? answer.length : answer,
    `must return ${expected} vectors for ${expected} texts`,
    'Lower batchSize if the service limits the number of texts per request.',
  );
}

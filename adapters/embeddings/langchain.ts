import type { AsyncCaller } from '@langchain/core/utils/async_caller';
import * as z from 'zod';
import type { Embedder } from '../../src/index.js';
import {
  connectionProblem,
  importOptional,
  invalidInput,
  orAborted,
  parseOptions,
} from '../../src/internal.js';
import { failingFast, invalidOption, unreachable, withFastFailures } from '../model-calls/index.js';

const optionsSchema = z.strictObject({
  batchSize: z.int().min(1).default(96),
  maxConcurrency: z.int().min(1).default(4),
  maxRetries: z.int().min(0).default(2),
});

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
  if (typeof embeddings?.embedDocuments !== 'function' || typeof embeddings.embedQuery !== 'function') {
    throw invalidOption(
      'embeddings',
      embeddings,
      'must have the methods embedDocuments and embedQuery',
      'Give an instance of a LangChain Embeddings class.',
    );
  }
  const { batchSize, ...limits } = parseOptions(optionsSchema, options);
  const calling = withFastFailures(embeddings);
  let loading: Promise<AsyncCaller> | undefined;

  return {
    specificationVersion: 'v1',
    provider: 'langchain',
    ...modelOf(embeddings),
    async embed(texts, { queryIndex, signal }) {
      signal?.throwIfAborted();
      loading ??= loadCaller(limits);
      const caller = await loading;
      signal?.throwIfAborted();
      const failed = new AbortController();
      const stop = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
      const send = <T>(request: () => Promise<T>): Promise<T> =>
        caller.call(async () => {
          if (stop.aborted) throw dropped(stop);
          return request();
        });

      const vectors = new Map<number, ArrayLike<number>>();
      const someText = texts.some((text) => !isBlank(text));
      const indexes = [...texts.keys()].filter((index) => !someText || !isBlank(texts[index] as string));
      const documents = indexes.filter((index) => index !== queryIndex);
      const fill = (at: readonly number[], answer: readonly ArrayLike<number>[]) => {
        for (const [nth, index] of at.entries()) vectors.set(index, answer[nth] as ArrayLike<number>);
      };
      const requests: Promise<void>[] = [];
      if (queryIndex !== undefined && indexes.includes(queryIndex)) {
        const query = texts[queryIndex] as string;
        // First in the queue: without the query no chunk can be ranked.
        requests.push(
          send(() => calling((model) => model.embedQuery(query))).then((vector) =>
            fill([queryIndex], [vector]),
          ),
        );
      }
      for (let start = 0; start < documents.length; start += batchSize) {
        const batch = documents.slice(start, start + batchSize);
        const batchTexts = batch.map((index) => texts[index] as string);
        requests.push(
          send(() => calling((model) => model.embedDocuments(batchTexts))).then((answer) => {
            checkCount(answer, batch.length);
            fill(batch, answer);
          }),
        );
      }
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

/** Loaded on first use, since the other embedders of this entry point do not need LangChain. */
async function loadCaller(limits: { maxConcurrency: number; maxRetries: number }): Promise<AsyncCaller> {
  const load = () => import('@langchain/core/utils/async_caller');
  const { AsyncCaller } = await importOptional(
    load,
    'fromLangChainEmbeddings',
    'npm install @langchain/core',
  );
  return failingFast(new AsyncCaller(limits));
}

const isBlank = (text: string) => text.trim() === '';

/** The error of a dropped request. AsyncCaller does not retry an error with this name. */
function dropped(signal: AbortSignal): Error {
  const error = new Error('This request was dropped.', { cause: signal.reason });
  error.name = 'AbortError';
  return error;
}

function checkCount(answer: unknown, expected: number): void {
  if (Array.isArray(answer) && answer.length === expected) return;
  throw invalidInput(
    'embeddings.embedDocuments',
    Array.isArray(answer) ? answer.length : answer,
    `must return ${expected} vectors for ${expected} texts`,
    'Lower batchSize if the service limits the number of texts per request.',
  );
}

import type { AsyncCaller } from '@langchain/core/utils/async_caller';
import * as z from 'zod';
import { ContextShapingError, type Embedder } from '../../src/index.js';
import { importOptional, orAborted, parseOptions } from '../../src/internal.js';

const optionsSchema = z.strictObject({
  batchSize: z.int().min(1).default(96),
  maxConcurrency: z.int().min(1).default(4),
  maxRetries: z.int().min(0).default(2),
});

/** What is used of a LangChain `Embeddings`. */
export interface EmbeddingsLike {
  embedDocuments(texts: string[]): Promise<ArrayLike<number>[]>;
  embedQuery(text: string): Promise<ArrayLike<number>>;
}

export interface LangChainEmbeddingsOptions {
  /** The most texts in one request: many classes send all they are given at once. Default 96. */
  batchSize?: number | undefined;
  /** The most requests under way at once, over all calls of this embedder. Default 4. */
  maxConcurrency?: number | undefined;
  /** How often a failed request is tried again, with growing pauses, on top of what the class does. Default 2. */
  maxRetries?: number | undefined;
}

/**
 * Any LangChain `Embeddings` as an embedder. The query goes through `embedQuery`, all else through
 * `embedDocuments`, for some models embed them differently.
 *
 * Blank texts are not sent, since one of them makes some services refuse the whole batch; their vectors
 * are all zero. Requests that are waiting are dropped when the signal aborts or another batch of the same
 * call fails for good; those under way run out, for `Embeddings` take no signal.
 *
 * @throws ContextShapingError `invalid-options`, if `embeddings` or an option is not what it should be.
 */
export function fromLangChainEmbeddings(
  embeddings: EmbeddingsLike,
  options: LangChainEmbeddingsOptions = {},
): Embedder {
  if (typeof embeddings?.embedDocuments !== 'function' || typeof embeddings.embedQuery !== 'function') {
    throw new ContextShapingError('invalid-options', {
      field: 'embeddings',
      value: embeddings,
      is: 'must have the methods embedDocuments and embedQuery',
      remedy: 'Give an instance of a LangChain Embeddings class.',
    });
  }
  const { batchSize, ...limits } = parseOptions(optionsSchema, options);
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
      const places = [...texts.keys()].filter((place) => !someText || !isBlank(texts[place] as string));
      const documents = places.filter((place) => place !== queryIndex);
      const fill = (at: readonly number[], answer: readonly ArrayLike<number>[]) => {
        for (const [nth, place] of at.entries()) vectors.set(place, answer[nth] as ArrayLike<number>);
      };
      const requests: Promise<void>[] = [];
      if (queryIndex !== undefined && places.includes(queryIndex)) {
        const query = texts[queryIndex] as string;
        // First in the queue: nothing can be ranked without it.
        requests.push(
          send(() => embeddings.embedQuery(query)).then((vector) => fill([queryIndex], [vector])),
        );
      }
      for (let start = 0; start < documents.length; start += batchSize) {
        const batch = documents.slice(start, start + batchSize);
        const batchTexts = batch.map((place) => texts[place] as string);
        requests.push(
          send(() => embeddings.embedDocuments(batchTexts)).then((answer) => {
            checkCount(answer, batch.length);
            fill(batch, answer);
          }),
        );
      }
      try {
        // Not callWithOptions({ signal }), which adds a listener per request: Node warns of the eleventh.
        await orAborted(Promise.all(requests), stop);
      } catch (error) {
        failed.abort(error);
        throw error;
      }
      const blank = new Float32Array([...vectors.values()][0]?.length ?? 0);
      // Not `?? blank`: a service that returns null for a text must not pass for one that knows it.
      return texts.map((_, place) =>
        vectors.has(place) ? (vectors.get(place) as ArrayLike<number>) : blank,
      );
    },
  };
}

/** The class, its model, and the length of its vectors, as far as the class tells; nothing if it names no model. */
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

/** Loaded when first used: the other embedders of this entry point do without LangChain. */
async function loadCaller(limits: { maxConcurrency: number; maxRetries: number }): Promise<AsyncCaller> {
  const load = () => import('@langchain/core/utils/async_caller');
  const { AsyncCaller } = await importOptional(
    load,
    'fromLangChainEmbeddings',
    'npm install @langchain/core',
  );
  return new AsyncCaller(limits);
}

const isBlank = (text: string) => text.trim() === '';

/** What a request ends with that is not wanted any more: a name by which AsyncCaller does not retry. */
function dropped(signal: AbortSignal): Error {
  const error = new Error('This request was dropped.', { cause: signal.reason });
  error.name = 'AbortError';
  return error;
}

function checkCount(answer: unknown, expected: number): void {
  if (Array.isArray(answer) && answer.length === expected) return;
  throw new ContextShapingError('invalid-input', {
    field: 'embeddings.embedDocuments',
    value: Array.isArray(answer) ? answer.length : answer,
    is: `must return ${expected} vectors for ${expected} texts`,
    remedy: 'Lower batchSize if the service caps how many texts it takes at once.',
  });
}

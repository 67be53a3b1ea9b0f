import * as z from 'zod/mini';
import type { Embedder } from '../../src/index.js';
import { connectionProblem, invalidInput, lazily, orAborted, parseOptions } from '../../src/internal.js';
import {
  batchesOf,
  checkMethods,
  concurrently,
  unreachable,
  withFastFailures,
} from '../model-calls/index.js';

const optionsSchema = lazily(() =>
  z.strictObject({
    batchSize: z._default(z.int().check(z.minimum(1)), 96),
    maxConcurrency: z._default(z.int().check(z.minimum(1)), 4),
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
  /** The largest number of requests under way at once, within one call. Default 4. */
  maxConcurrency?: number | undefined;
}

/**
 * Any LangChain `Embeddings` as an embedder. The query goes through `embedQuery`, all other texts through
 * `embedDocuments`, since some models embed them differently.
 *
 * Blank texts are not sent, since some services refuse a whole batch because of one; their vectors are all zero. When
 * the signal aborts, or another batch of the same call fails, waiting requests are dropped. Requests under way run to their
 * end, since `Embeddings` take no signal. The class itself repeats failed requests (its `maxRetries`), but no refused
 * connection.
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
  const { batchSize, maxConcurrency } = parseOptions(optionsSchema(), options);
  const calling = withFastFailures(embeddings);

  return {
    specificationVersion: 'v1',
    provider: 'langchain',
    ...modelOf(embeddings),
    async embed(texts, { queryIndex, signal }) {
      signal?.throwIfAborted();
      const someText = texts.some((text) => !isBlank(text));
      const indexes = [...texts.keys()].filter((index) => !someText || !isBlank(texts[index] as string));
      // First in the queue: without the query no chunk can be ranked.
      const queries = indexes.filter((index) => index === queryIndex);
      const documents = indexes.filter((index) => index !== queryIndex);
      const requests = [...queries.map((index) => [index]), ...batchesOf(documents, batchSize)];
      const vectors = new Map<number, ArrayLike<number>>();
      const sending = concurrently(requests, maxConcurrency, signal, async (places) => {
        const batch = places.map((index) => texts[index] as string);
        const answer = await calling(async (model) =>
          places[0] === queryIndex
            ? [await model.embedQuery(batch[0] as string)]
            : checked(await model.embedDocuments(batch), batch.length),
        );
        for (const [nth, vector] of answer.entries()) vectors.set(places[nth] as number, vector);
      });
      try {
        await orAborted(sending, signal);
      } catch (error) {
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

function checked(answer: ArrayLike<number>[], expected: number): ArrayLike<number>[] {
  if (Array.isArray(answer) && answer.length === expected) return answer;
  throw invalidInput(
    'embeddings.embedDocuments',
    Array.isArray(answer) ? answer.length : answer,
    `must return ${expected} vectors for ${expected} texts`,
    'Lower batchSize if the service limits the number of texts per request.',
  );
}

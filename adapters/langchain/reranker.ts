import * as z from 'zod/mini';
import type { Reranker } from '../../src/index.js';
import {
  connectionProblem,
  lazily,
  messageOf,
  parseOptions,
  rethrowControlFlow,
  within,
} from '../../src/internal.js';
import {
  checkMethods,
  inheriting,
  inOrder,
  isPermanent,
  malformedBy,
  nothingToRank,
  type Ranked,
  SCALES,
  type Scale,
  serviceError,
  timeoutMs,
  withRetries,
} from '../model-calls/index.js';

interface DocumentLike {
  pageContent: string;
  // biome-ignore lint/suspicious/noExplicitAny: as LangChain declares it
  metadata: Record<string, any>;
}

/** The method that this package uses of LangChain's `BaseDocumentCompressor`. */
export interface DocumentCompressorLike {
  compressDocuments(documents: DocumentLike[], query: string): Promise<readonly DocumentLike[]>;
}

export interface LangChainRerankerOptions {
  /** The scale of the scores: probabilities of 0..1, or log-odds in nats. Default `'probability'`. */
  scale?: Scale | undefined;
  /** Longest wait for one answer, in whole milliseconds. Default: no limit but that of the class. */
  timeoutMs?: number | undefined;
  /** The key of the score in the metadata of the documents that come back. Default `'relevanceScore'`. */
  scoreKey?: string | undefined;
}

const optionsSchema = lazily(() =>
  z.strictObject({
    scale: z._default(z.enum(SCALES), 'probability'),
    timeoutMs: z.optional(timeoutMs()),
    scoreKey: z._default(z.string().check(z.minLength(1)), 'relevanceScore'),
  }),
);

/** The place of a text in the request. The documents have no other metadata. */
const PLACE = 'context-shaping:place';

/** How often a failed call is repeated, besides the retries of the class. */
const MOST_RETRIES = 2;

/** Fields of classes that limit the number of documents that come back. */
const LIMITS = ['topN', 'top_n', 'topK', 'k'];

/**
 * A LangChain class that reranks documents, such as `CohereRerank`, and writes a score into their metadata. It gets
 * documents of its own, all at once. If it has a field `topN`, `top_n`, `topK` or `k` that is lower than the number of
 * texts, an object that inherits from it and has a higher one is called; yours stays as it is.
 *
 * A text that does not come back has no score. A class that writes no scores cannot be used: a place in a list is no
 * probability.
 *
 * @throws ContextShapingError `invalid-options`; when asked `service`, if the class keeps failing, if no document or a
 *   document twice comes back, or if a score is missing or not in the range of the scale.
 */
export function langChainReranker(
  compressor: DocumentCompressorLike,
  options: LangChainRerankerOptions = {},
): Reranker {
  const remedy = 'Give an instance of a LangChain reranker, such as CohereRerank.';
  checkMethods('compressor', compressor, ['compressDocuments'], remedy);
  const { scoreKey, scale, timeoutMs } = parseOptions(optionsSchema(), options);
  const modelId = nameOf(compressor);
  const name = `langchain:${modelId}`;
  return {
    specificationVersion: 'v1',
    provider: 'langchain',
    modelId,
    async identify({ signal } = {}) {
      signal?.throwIfAborted();
      return scale === 'probability' ? name : `${name}:${scale}`;
    },
    async rerank(query, texts, { signal } = {}) {
      signal?.throwIfAborted();
      if (texts.length === 0) return nothingToRank(scale);
      const ask = () =>
        returningAll(compressor, texts.length).compressDocuments(
          texts.map((pageContent, place) => ({ pageContent, metadata: { [PLACE]: place } })),
          query,
        );
      let requests = 0;
      const last = await withRetries<unknown, unknown>(MOST_RETRIES, signal, async () => {
        requests++;
        try {
          return { result: await within(timeoutMs, signal, async () => ask()) };
        } catch (error) {
          rethrowControlFlow(error, signal);
          return { failure: error, again: !isPermanent(error) && connectionProblem(error) === undefined };
        }
      });
      if (!('result' in last)) {
        const remedy =
          'Check the key, the address and the model of the reranker, and read the log of its service.';
        throw serviceError(name, messageOf(last.failure), 'fails to rerank', remedy, last.failure);
      }
      const malformed = malformedBy(name);
      const ranked = rankedIn(last.result, texts.length, scoreKey, malformed);
      return { scores: inOrder(ranked, texts.length, scale, malformed), scale, usage: { requests } };
    },
  };
}

/** The scores in the documents that came back: one for each text, null where it did not. */
function rankedIn(
  answer: unknown,
  count: number,
  scoreKey: string,
  malformed: ReturnType<typeof malformedBy>,
): Ranked[] {
  if (!Array.isArray(answer) || answer.length === 0) throw malformed(answer, 'returns no documents');
  const found = answer.map((document: DocumentLike | null): Ranked => {
    const { [PLACE]: index, [scoreKey]: score } = document?.metadata ?? {};
    const remedy = 'Use a class that returns the documents it was given, with their metadata.';
    if (!Number.isInteger(index)) throw malformed(index, 'returns a document that it was not given', remedy);
    if (typeof score === 'number') return { index, score };
    const keys = 'Name the key of the score as scoreKey, or use a class that writes scores.';
    throw malformed(score, `writes no score to the metadata key ${scoreKey}`, keys);
  });
  const places = new Set(found.map(({ index }) => index));
  const missing = Array.from({ length: count }, (_, index) => index).filter((at) => !places.has(at));
  return [...found, ...missing.map((index) => ({ index, score: null }))];
}

/** The class, and its model if it has one: `CohereRerank:rerank-v4.0-pro`. */
function nameOf(compressor: DocumentCompressorLike): string {
  const { model, modelName, model_name } = compressor as unknown as Record<string, unknown>;
  const used = [model, modelName, model_name].find((each) => typeof each === 'string');
  return [compressor.constructor.name, ...(used === undefined ? [] : [used])].join(':');
}

function returningAll(compressor: DocumentCompressorLike, count: number): DocumentCompressorLike {
  const fields = compressor as unknown as Record<string, unknown>;
  const low = LIMITS.filter(
    (field) => typeof fields[field] === 'number' && (fields[field] as number) < count,
  );
  return low.length === 0
    ? compressor
    : inheriting(compressor, Object.fromEntries(low.map((field) => [field, count])));
}

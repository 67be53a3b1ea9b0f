import * as z from 'zod/mini';
import type { Reranker } from '../../src/index.js';
import { lazily, parseOptions } from '../../src/internal.js';
import {
  checkMethods,
  inheriting,
  type ObjectOptions,
  objectOptions,
  objectReranker,
  type Ranked,
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

export interface LangChainRerankerOptions extends ObjectOptions {
  /** The key of the score in the metadata of the documents that come back. Default `'relevanceScore'`. */
  scoreKey?: string | undefined;
}

const optionsSchema = lazily(() =>
  z.strictObject({
    ...objectOptions(),
    scoreKey: z._default(z.string().check(z.minLength(1)), 'relevanceScore'),
  }),
);

/** The place of a text in the request. The documents have no other metadata. */
const PLACE = 'context-shaping:place';

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
  const { scoreKey, ...common } = parseOptions(optionsSchema(), options);
  const modelId = nameOf(compressor);
  return objectReranker(
    {
      provider: 'langchain',
      modelId,
      name: `langchain:${modelId}`,
      ask: (query, texts) =>
        returningAll(compressor, texts.length).compressDocuments(
          texts.map((pageContent, place) => ({ pageContent, metadata: { [PLACE]: place } })),
          query,
        ),
      read(answer, count, malformed) {
        if (!Array.isArray(answer) || answer.length === 0) throw malformed(answer, 'returns no documents');
        const found = answer.map((document: DocumentLike | null): Ranked => {
          const { [PLACE]: index, [scoreKey]: score } = document?.metadata ?? {};
          const remedy = 'Use a class that returns the documents it was given, with their metadata.';
          if (!Number.isInteger(index))
            throw malformed(index, 'returns a document that it was not given', remedy);
          if (typeof score === 'number') return { index, score };
          const keys = 'Name the key of the score as scoreKey, or use a class that writes scores.';
          throw malformed(score, `writes no score to the metadata key ${scoreKey}`, keys);
        });
        const places = new Set(found.map(({ index }) => index));
        const missing = Array.from({ length: count }, (_, index) => index).filter((at) => !places.has(at));
        return [...found, ...missing.map((index) => ({ index, score: null }))];
      },
    },
    common,
  );
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

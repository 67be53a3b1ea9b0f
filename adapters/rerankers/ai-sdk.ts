import * as z from 'zod/mini';
import type { Reranker } from '../../src/index.js';
import { lazily, parseOptions } from '../../src/internal.js';
import { checkMethods, type ObjectOptions, objectOptions, objectReranker } from '../model-calls/index.js';

/** The fields that this package uses of a reranking model of the AI SDK: `RerankingModelV3` and `RerankingModelV4`. */
export interface RerankingModelLike {
  /** `cohere.reranking`, for instance. */
  readonly provider: string;
  readonly modelId: string;
  doRerank(options: {
    documents: { type: 'text'; values: string[] };
    query: string;
    topN?: number;
    abortSignal?: AbortSignal;
  }): PromiseLike<{ ranking: readonly { index: number; relevanceScore: number }[] }>;
}

export interface AiSdkRerankerOptions extends ObjectOptions {}

const optionsSchema = lazily(() => z.strictObject(objectOptions()));
const answerSchema = lazily(() =>
  z.object({
    ranking: z.array(z.object({ index: z.int().check(z.minimum(0)), relevanceScore: z.number() })),
  }),
);

/**
 * A reranking model of the AI SDK: `aiSdkReranker(cohere.reranking('rerank-v4.0-pro'))`. All texts are asked for in one
 * call, and the scores are put into the order of the texts. Its identity is `ai-sdk:`, the provider and the model.
 *
 * @throws ContextShapingError `invalid-options`; when asked `service`, if the model keeps failing, if its ranking does
 *   not have each text once, or if a score is not in the range of the scale.
 */
export function aiSdkReranker(model: RerankingModelLike, options: AiSdkRerankerOptions = {}): Reranker {
  const remedy =
    'Give a reranking model of a provider, such as cohere.reranking(…). A name alone is not enough.';
  checkMethods('model', model, ['doRerank'], remedy);
  const { provider, modelId } = model;
  return objectReranker(
    {
      provider: 'ai-sdk',
      modelId,
      name: ['ai-sdk', provider, modelId].join(':'),
      ask: (query, texts, abortSignal) =>
        model.doRerank({
          documents: { type: 'text', values: [...texts] },
          query,
          topN: texts.length,
          abortSignal,
        }),
      read(answer, _, malformed) {
        const read = answerSchema().safeParse(answer);
        if (!read.success) throw malformed(answer, 'must return { ranking: [{ index, relevanceScore }] }');
        return read.data.ranking.map(({ index, relevanceScore }) => ({ index, score: relevanceScore }));
      },
    },
    parseOptions(optionsSchema(), options),
  );
}

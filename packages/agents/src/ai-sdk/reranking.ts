import { createShaper, type Shaper, type ShapingOptions } from 'context-shaping';
import type { JsonValue, ProviderData } from './messages.js';

/** A reranking model for `rerank` of `ai` 6 and 7. */
export interface ShapedReranking {
  readonly specificationVersion: 'v3';
  readonly provider: string;
  readonly modelId: string;
  doRerank(call: {
    documents: { type: 'text'; values: readonly string[] } | { type: 'object'; values: readonly object[] };
    query: string;
    topN?: number | undefined;
    abortSignal?: AbortSignal | undefined;
  }): Promise<{
    ranking: { index: number; relevanceScore: number }[];
    /** `contextShaping`: the report. The id of a document in it is its index. */
    providerMetadata: ProviderData;
  }>;
}

/**
 * A reranking model that shapes: `rerank({ model: shapedReranking({ budget: { maxTokens: 2000 } }), documents, query })`.
 * Copies, and documents that do not fit, are not in the ranking. `topN` is the option `k`.
 *
 * @param options options of a shaper, or a shaper. Texts are not cut unless the option `extract` is given, because the
 *   caller gets whole documents.
 * @throws ContextShapingError `invalid-options`; the model rejects as `shape` does.
 */
export function shapedReranking(options: ShapingOptions | Shaper = {}): ShapedReranking {
  const shaper = 'shape' in options ? options : createShaper({ extract: false, ...options });
  return {
    specificationVersion: 'v3',
    provider: 'context-shaping',
    modelId: 'shaped-reranking',
    async doRerank({ documents, query, topN, abortSignal }) {
      const texts = documents.type === 'text' ? documents.values : documents.values.map(textOf);
      const { report } = await (topN === undefined ? shaper : shaper.with({ k: topN })).shape({
        query,
        chunks: texts.map((text, index) => ({ id: String(index), text })),
        signal: abortSignal,
      });
      const ranking = report.kept
        .map(({ index, relevance = 0 }) => ({ index, relevanceScore: relevance }))
        .sort((a, b) => b.relevanceScore - a.relevanceScore || a.index - b.index);
      const ledger: JsonValue = JSON.parse(JSON.stringify(report));
      return { ranking, providerMetadata: { contextShaping: ledger as ProviderData[string] } };
    },
  };
}

/** The fields of a document, one per line. */
const textOf = (document: object): string =>
  Object.entries(document)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');

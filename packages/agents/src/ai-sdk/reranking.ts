import { createShaper, type Shaper, type ShapingOptions, type ShapingReport } from 'context-shaping';
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
    /** Names the documents that no ranking can have, because each has more tokens than the budget. */
    warnings: { type: 'other'; message: string }[];
  }>;
}

/**
 * A reranking model that shapes: `rerank({ model: shapedReranking({ budget: { maxTokens: 2000 } }), documents, query })`.
 * Copies, and documents that do not fit, are not in the ranking; a warning names those that are longer than the budget.
 * `topN` is the option `k`.
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
      const providerMetadata = { contextShaping: ledger as ProviderData[string] };
      return { ranking, providerMetadata, warnings: tooLong(shaper, report) };
    },
  };
}

function tooLong({ options }: Shaper, { evicted, tokens: { budget } }: ShapingReport) {
  if (budget === null || options.extract !== false) return [];
  const left = evicted.filter(({ reason, tokens }) => reason === 'over-budget' && tokens > budget);
  if (left.length === 0) return [];
  const most = Math.max(...left.map(({ tokens }) => tokens));
  const message = `Left out, because each alone has more tokens than the budget of ${budget}: documents ${left.map(({ id }) => id).join(', ')}. Give budget.maxTokens at least ${most} plus the reserve, or shorter documents.`;
  return [{ type: 'other' as const, message }];
}

/** The fields of a document, one per line. */
const textOf = (document: object): string =>
  Object.entries(document)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');

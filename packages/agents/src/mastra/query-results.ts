import {
  createShaper,
  type Query,
  type Shaper,
  type ShapingOptions,
  type ShapingReport,
} from 'context-shaping';
import { distinctIds } from 'context-shaping/internal';
import { invalidInput } from 'context-shaping/kit';

/** A result of a vector store, as Mastra's stores return it. */
export interface QueryResultLike {
  id: string;
  score: number;
  /** `text` is the text, unless `document` is present. */
  // biome-ignore lint/suspicious/noExplicitAny: as Mastra types it
  metadata?: Record<string, any> | undefined;
  vector?: number[] | undefined;
  document?: string | undefined;
}

/** Options of a shaper, or a shaper, and the question. `order` defaults to `input`: the order of the results stays. */
export interface QueryResultsOptions extends ShapingOptions {
  /** The question, as a text or with its vector. */
  query: Query | string;
  /** A ready shaper. Options given beside it replace its own. */
  shaper?: Shaper | undefined;
  /** Aborts the call. */
  signal?: AbortSignal | undefined;
}

/**
 * Shapes the results of `vectorStore.query`. Whole results are the same objects. A cut or sanitised one is a
 * copy: it has the new text in place of the old one, in `document`, in `metadata.text` or in both, and no `vector`, which
 * belongs to the old text. A superseded one is a copy with the id of the preferred result in `metadata.supersededBy`. Scores are never changed. Results without a text come last, neither shaped nor counted.
 *
 * @throws ContextShapingError `invalid-options`, or `invalid-input` if `results` is not an array of results.
 */
export async function shapeQueryResults<R extends QueryResultLike>(
  results: readonly R[],
  { query, signal, shaper, ...options }: QueryResultsOptions,
): Promise<{ results: R[]; report: ShapingReport }> {
  if (!Array.isArray(results))
    throw invalidInput('results', results, 'must be an array', 'Give the answer of vectorStore.query.');
  const idOf = distinctIds();
  const chunks = (results as readonly R[]).flatMap(({ id, score, metadata, vector, document }, place) => {
    const text = document ?? metadata?.text;
    if (typeof text !== 'string') return [];
    return [
      { id: idOf(id, text), text, score, metadata, place, embedding: vector?.length ? vector : undefined },
    ];
  });
  const own = shaper?.with(options) ?? createShaper({ order: 'input', ...options });
  const shaped = await own.shape({ query, chunks, ranked: true, signal });
  const kept = shaped.chunks.map(({ place, text, excerpts, sanitised, superseded }) => {
    const whole = results[place] as R;
    const result = excerpts === undefined && !sanitised ? whole : withText(whole, text);
    if (superseded === undefined) return result;
    return { ...result, metadata: { ...result.metadata, supersededBy: superseded.by } };
  });
  const without = results.filter((_, place) => !chunks.some((chunk) => chunk.place === place));
  return { results: [...kept, ...without], report: shaped.report };
}

function withText<R extends QueryResultLike>(result: R, text: string): R {
  const { document, metadata } = result;
  const old = document ?? metadata?.text;
  const { vector: _, ...copy } = result;
  return {
    ...copy,
    ...(document === undefined ? {} : { document: text }),
    ...(metadata?.text === old ? { metadata: { ...metadata, text } } : {}),
  } as QueryResultLike as R;
}

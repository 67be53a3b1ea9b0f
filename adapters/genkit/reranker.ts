import { createShaper, type Shaper, type ShapingOptions } from '../../src/index.js';

/** The part of Genkit's documents that this adapter reads: texts among parts of any kind. */
export interface DocumentLike {
  content: readonly { text?: string | undefined }[];
  // biome-ignore lint/suspicious/noExplicitAny: as Genkit types it
  metadata?: Record<string, any> | undefined;
}

export interface RankedDocumentLike<D extends DocumentLike> {
  content: D['content'];
  metadata: { score: number; [key: string]: unknown };
}

/** The second argument of `ai.defineReranker`. */
export type RerankerFunction = <D extends DocumentLike>(
  query: DocumentLike,
  documents: readonly D[],
  options?: { k?: number | undefined },
) => Promise<{ documents: RankedDocumentLike<D>[] }>;

/**
 * A function for `ai.defineReranker({ name, configSchema }, shapedReranker(options))`. Documents that the shaper evicts are
 * not in its answer; their evictions are in the report, which the option `onReport` gets. `metadata.score` of an answer is
 * its relevance, 0..1. The order of the given documents counts as that of a retriever.
 *
 * - Text parts of a document are one text. If it is cut, the first text part has the cut text, and parts of other kinds stay.
 * - Documents without text are neither shaped nor counted. They come last, with the score 0.
 * - `options.k` of the call replaces the option `k`.
 *
 * @param options options of a shaper, or a shaper.
 * @throws ContextShapingError `invalid-options`; the function rejects as `shape` does.
 */
export function shapedReranker(options: ShapingOptions | Shaper = {}): RerankerFunction {
  const shaper = 'shape' in options ? options : createShaper(options);
  return async (query, documents, { k } = {}) => {
    const scored = documents.every(({ metadata }) => Number.isFinite(metadata?.score));
    const chunks = documents.flatMap((document, place) => {
      const { metadata } = document;
      if (!hasText(document)) return [];
      const score = scored ? { score: metadata?.score as number } : {};
      return [{ id: `doc-${place}`, place, text: textOf(document), metadata, ...score }];
    });
    const own = k === undefined ? shaper : shaper.with({ k });
    const shaped = await own.shape({ query: textOf(query), chunks, ranked: true });
    const ranked = shaped.chunks.map(({ place, text, relevance = 0 }) => {
      const document = documents[place] as (typeof documents)[number];
      const { content, metadata } = document;
      const first = content.findIndex(isText);
      const cut = content.flatMap((part, at) =>
        at === first ? [{ ...part, text }] : isText(part) ? [] : [part],
      );
      const isWhole = text === textOf(document);
      return { content: isWhole ? content : cut, metadata: { ...metadata, score: relevance } };
    });
    const others = documents.filter((document) => !hasText(document));
    const last = others.map(({ content, metadata }) => ({ content, metadata: { ...metadata, score: 0 } }));
    return { documents: [...ranked, ...last] };
  };
}

const isText = ({ text }: DocumentLike['content'][number]) => text !== undefined;
const hasText = ({ content }: DocumentLike) => content.some(isText);

/** As Genkit joins the text parts of a document. */
const textOf = ({ content }: DocumentLike) => content.map(({ text = '' }) => text).join('');

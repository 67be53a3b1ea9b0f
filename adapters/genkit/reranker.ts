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
 * its relevance in this pool, 0..1; a score of the retriever there, if all documents have one, counts as evidence.
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
    const texts = documents.map(textOf);
    const scored = documents.every(({ metadata }) => Number.isFinite(metadata?.score));
    const chunks = documents.flatMap(({ metadata }, place) => {
      const text = texts[place] as string;
      return text === ''
        ? []
        : [
            {
              id: `doc-${place}`,
              place,
              text,
              metadata,
              ...(scored ? { score: metadata?.score as number } : {}),
            },
          ];
    });
    const result = await (k === undefined ? shaper : shaper.with({ k })).shape({
      query: textOf(query),
      chunks,
    });
    const ranked = result.chunks.map(({ place, text, relevance = 0 }) => {
      const { content, metadata } = documents[place] as (typeof documents)[number];
      const first = content.findIndex((part) => part.text);
      const cut = content.flatMap((part, at) =>
        at === first ? [{ ...part, text }] : part.text ? [] : [part],
      );
      return { content: text === texts[place] ? content : cut, metadata: { ...metadata, score: relevance } };
    });
    const others = documents.filter((_, place) => texts[place] === '');
    return {
      documents: [
        ...ranked,
        ...others.map(({ content, metadata }) => ({ content, metadata: { ...metadata, score: 0 } })),
      ],
    };
  };
}

/** As Genkit joins the text parts of a document. */
const textOf = ({ content }: DocumentLike) => content.map(({ text = '' }) => text).join('');

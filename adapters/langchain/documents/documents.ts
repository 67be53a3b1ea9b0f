/** Converts LangChain documents to chunks and back. It never writes into a document, and needs no class. */
import { Document, type DocumentInterface } from '@langchain/core/documents';
import * as z from 'zod/mini';
import {
  type Chunk,
  ContextShapingError,
  type Degradation,
  headerText,
  type ShapedChunk,
} from '../../../src/index.js';
import { distinctIds, invalidInput, lazily, parseOptions, silence } from '../../../src/internal.js';

/** How to read a document. All optional. */
export interface DocumentOptions {
  /** Returns the document's vector, if it has one. All vectors have one dimension. Absent: vectors in metadata are ignored. */
  getEmbedding?: ((document: DocumentInterface) => ArrayLike<number> | undefined) | undefined;
  /** Returns the document as the prompt will show it. The tokens of this text are counted. Absent: `pageContent` alone. */
  render?: ((document: DocumentInterface) => string) | undefined;
  /**
   * Metadata key of the retriever's score; higher is better. Absent: the first of `relevanceScore`, `score` and `_score`
   * that is a number in all documents. A retriever or reranker writes its score into every document. A score in only
   * some documents came with a page or from one of several searches, and is not comparable.
   */
  scoreField?: string | undefined;
  /**
   * Metadata key for sources. A document that replaces evicted copies lists all their sources there, its own first. Such
   * a document is returned as a copy, and metadata may reach a prompt. Absent: sources are only in the report, and every
   * whole document is returned as the same object.
   */
  citeSources?: string | undefined;
}

const SCORE_FIELDS = ['relevanceScore', 'score', '_score'];

const optionsSchema = lazily(() => {
  const ofDocument = z.optional(
    z.custom((value) => typeof value === 'function', { error: 'must be a function of a document' }),
  );
  const metadataKey = z.optional(z.string().check(z.minLength(1)));
  return z.strictObject({
    getEmbedding: ofDocument,
    render: ofDocument,
    scoreField: metadataKey,
    citeSources: metadataKey,
  });
});

/** The names of {@link DocumentOptions}. */
export const documentOptionNames = () => Object.keys(optionsSchema().shape);

/** @throws ContextShapingError `invalid-options`. */
export function checkDocumentOptions(options: DocumentOptions): void {
  parseOptions(optionsSchema(), options);
}

/**
 * One chunk per document, in order. Its id is the id of the document, else `doc-` and the place from 0. If the id
 * already names another text, a number makes it unique: `id#2`.
 *
 * @throws ContextShapingError `invalid-input`, if `documents` is not an array of objects with a text each.
 */
export function toChunks(documents: readonly DocumentInterface[], options: DocumentOptions): Chunk[] {
  if (!Array.isArray(documents)) throw malformed('documents', documents, 'an array');
  const distinctId = distinctIds();
  const scoreField = options.scoreField ?? SCORE_FIELDS.find((field) => documents.every(hasScore(field)));
  return Array.from(documents as readonly DocumentInterface[], (document, place) => {
    if (typeof document !== 'object' || document === null)
      throw malformed(`documents[${place}]`, document, 'an object');
    if (Array.isArray(document))
      throw malformed(`documents[${place}]`, document, 'a document, and is a pair with its score', OF_PAIRS);
    const text: unknown = document.pageContent;
    if (typeof text !== 'string') throw malformed(`documents[${place}].pageContent`, text, 'a string');
    const own = typeof document.id === 'string' && document.id !== '' ? document.id : `doc-${place}`;
    const score = scoreOf(document, scoreField);
    const embedding = options.getEmbedding?.(document);
    // The check of the chunks refuses the first promise, and none of the others.
    silence(embedding);
    return {
      id: distinctId(own, text),
      text,
      metadata: document.metadata,
      ...(score === undefined ? {} : { score }),
      ...(embedding == null ? {} : { embedding }),
      ...(options.render === undefined ? {} : { rendered: renderedBy(options.render, document, place) }),
    };
  });
}

export function renderedBy(
  render: NonNullable<DocumentOptions['render']>,
  document: DocumentInterface,
  place: number,
): string {
  const rendered: unknown = render(document);
  if (typeof rendered === 'string') return rendered;
  const remedy = 'Return the document as the prompt shows it; render is no asynchronous function.';
  throw malformed(`render(documents[${place}])`, rendered, 'a string', remedy);
}

/**
 * The documents of the kept chunks: the same objects, or copies if something changed. A superseded one has the id of the
 * preferred document in its metadata.
 */
export function toDocuments(
  chunks: readonly Pick<
    ShapedChunk,
    'index' | 'text' | 'excerpts' | 'sanitised' | 'superseded' | 'sources'
  >[],
  documents: readonly DocumentInterface[],
  { citeSources }: DocumentOptions,
): DocumentInterface[] {
  return chunks.map((chunk) => {
    const document = documents[chunk.index] as DocumentInterface;
    const cite = citeSources !== undefined && chunk.sources.length > 1;
    const { superseded } = chunk;
    if (chunk.excerpts === undefined && !chunk.sanitised && superseded === undefined && !cite)
      return document;
    return new Document({
      pageContent: chunk.text,
      metadata: {
        ...document.metadata,
        ...(superseded === undefined ? {} : { supersededBy: superseded.by }),
        ...(cite ? { [citeSources]: chunk.sources } : {}),
      },
      ...(document.id === undefined ? {} : { id: document.id }),
    });
  });
}

function scoreOf(document: DocumentInterface, field: string | undefined): number | undefined {
  return field !== undefined && hasScore(field)(document) ? (document.metadata[field] as number) : undefined;
}

const hasScore = (field: string) => (document: DocumentInterface | null) =>
  Number.isFinite(document?.metadata?.[field]);

/** A `scoreField` that no document has. */
export function idleScoreField(chunks: readonly Chunk[], { scoreField }: DocumentOptions): Degradation[] {
  if (scoreField === undefined || chunks.length === 0) return [];
  if (chunks.some(({ score }) => score !== undefined)) return [];
  const message = `No document has a number at scoreField, ${JSON.stringify(scoreField)}; chunks have no score. Give the metadata key of the score.`;
  return [{ stage: 'input', code: 'option-without-effect', message }];
}

const PARTS: Readonly<Record<string, string>> = { text: 'pageContent', id: 'id', metadata: 'metadata' };

/** The same error for a reader who gave documents and no chunks. */
export function inTermsOfDocuments(error: unknown, { scoreField }: DocumentOptions): unknown {
  if (!ContextShapingError.isInstance(error)) return error;
  return error.renamed((field) =>
    field.replace(/^chunks\[(\d+)\](?:\.(\w+))?/, (_, place: string, part?: string) => {
      const document = `documents[${place}]`;
      if (part === 'embedding') return `getEmbedding(${document})`;
      if (part === 'score') return `${document}.metadata.${scoreField ?? 'score'}`;
      return part === undefined ? document : `${document}.${PARTS[part] ?? part}`;
    }),
  );
}

function malformed(field: string, value: unknown, what: string, remedy = REMEDY): ContextShapingError {
  return invalidInput(field, value, `must be ${what}`, remedy);
}

const REMEDY = 'Give the result of the retriever: an array of { pageContent, metadata, id? }.';

/** `similaritySearchWithScore` returns pairs. */
const OF_PAIRS =
  'Give results.map(([document, score]) => ({ ...document, metadata: { ...document.metadata, score } })), or leave the scores out if they are distances.';

const SOURCE_FIELDS = ['source', 'file_path', 'file_name', 'url'];

/**
 * A document for a prompt: a line with its id and source, if it has them, and its text. Characters that could end that
 * line are escaped, and long values are cut.
 */
export function formatDocument({ id, metadata, pageContent }: DocumentInterface): string {
  const isNamed = (each: unknown): each is string => typeof each === 'string' && each !== '';
  const source = SOURCE_FIELDS.map((field): unknown => metadata?.[field]).find(isNamed);
  const facts = [
    ...(isNamed(id) ? [`id: ${headerText(id)}`] : []),
    ...(source === undefined ? [] : [`source: ${headerText(source)}`]),
  ];
  return facts.length === 0 ? pageContent : `[${facts.join(', ')}]\n${pageContent}`;
}

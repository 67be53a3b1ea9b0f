/** Vectors of chunks and query: from the request, else from the operator's embedder, else none. */
import type { Embedder } from 'context-shaping';
import { checkAnswer, orAborted } from 'context-shaping/internal';
import { defined, messageOf, packVector, rethrowControlFlow } from 'context-shaping/kit';
import { isBlank, type Vectors } from './pipeline.js';
import { BadRequest, type OptimizeRequest } from './request.js';

export interface Vectorised {
  /** Absent: compare by words. */
  vectors?: Vectors | undefined;
  /** Why words are compared, for the log and the metrics: the code of the core. */
  degradation?: 'embeddings-incomplete' | 'embedder-failed' | 'query-not-embedded' | undefined;
}

/**
 * Vectors of different models cannot be compared. So if one chunk has no vector, all chunks and the query are embedded,
 * even if they have vectors.
 *
 * @throws BadRequest if vectors differ in dimension, or are not finite.
 */
export async function vectorsOf(
  { chunks, query, query_embedding: given }: OptimizeRequest,
  embedder: Embedder | undefined,
  signal: AbortSignal | undefined,
): Promise<Vectorised> {
  const isComplete = chunks.every(({ embedding }) => embedding?.length);
  const packed = isComplete ? ofChunks(chunks) : undefined;
  const texts = isComplete ? [] : chunks.map(({ text }) => text);
  const isAsked = !isBlank(query) && !(isComplete && given?.length);
  if (isAsked) texts.push(query);
  const embedded = embedder && (await embed(embedder, texts, isAsked ? texts.length - 1 : undefined, signal));
  const vectors = packed ?? embedded?.slice(0, chunks.length);
  if (vectors === undefined)
    return { degradation: embedder === undefined ? 'embeddings-incomplete' : 'embedder-failed' };
  if (!isAsked) return { vectors: { chunks: vectors, query: ofQuery(given, vectors[0]) } };
  const asked = embedded?.at(-1);
  if (asked?.length === vectors[0]?.length) return { vectors: { chunks: vectors, query: asked } };
  return { vectors: { chunks: vectors, query: undefined }, degradation: 'query-not-embedded' };
}

/** Undefined if the embedder fails. */
async function embed(
  embedder: Embedder,
  texts: readonly string[],
  queryIndex: number | undefined,
  signal: AbortSignal | undefined,
): Promise<Float32Array[] | undefined> {
  if (texts.length === 0) return [];
  try {
    const answer: unknown = await orAborted(embedder.embed(texts, defined({ queryIndex, signal })), signal);
    checkAnswer(answer, texts.length);
    return pack(answer, (place) => `embedding ${place}`);
  } catch (error) {
    rethrowControlFlow(error, signal);
    return undefined;
  }
}

function ofChunks(chunks: OptimizeRequest['chunks']): Float32Array[] {
  try {
    return pack(
      chunks.map(({ embedding }) => embedding as readonly number[]),
      (place) => `chunks[${place}].embedding`,
    );
  } catch (error) {
    throw new BadRequest(messageOf(error));
  }
}

function pack(vectors: readonly ArrayLike<number>[], nameOf: (place: number) => string): Float32Array[] {
  const of = vectors[0]?.length as number;
  return vectors.map((vector, place) =>
    packVector(vector, nameOf(place), place === 0 ? undefined : { of, field: nameOf(0) }),
  );
}

function ofQuery(
  given: OptimizeRequest['query_embedding'],
  chunk: Float32Array | undefined,
): Float32Array | undefined {
  if (!given?.length) return undefined;
  if (given.length !== chunk?.length) {
    throw new BadRequest(
      `query_embedding dimension ${given.length} does not match chunk embedding dimension ${chunk?.length}.`,
    );
  }
  try {
    return packVector(given, 'query_embedding');
  } catch (error) {
    throw new BadRequest(messageOf(error));
  }
}

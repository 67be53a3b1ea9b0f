/** Vectors of chunks and query: from the request, else from the operator's embedder, else none. */
import type { Embedder } from 'context-shaping';
import { checkAnswer, orAborted } from 'context-shaping/internal';
import { messageOf, packVector, rethrowControlFlow } from 'context-shaping/kit';
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
  request: OptimizeRequest,
  embedder: Embedder | undefined,
  signal: AbortSignal | undefined,
): Promise<Vectorised> {
  const { chunks, query, query_embedding: given } = request;
  const isIncomplete = chunks.some(({ embedding }) => !embedding?.length);
  const asked = isBlank(query) ? undefined : query;
  const ask = (texts: readonly string[], queryIndex?: number) =>
    embed(embedder as Embedder, texts, queryIndex, signal);

  if (isIncomplete) {
    if (embedder === undefined) return { degradation: 'embeddings-incomplete' };
    try {
      const texts = chunks.map(({ text }) => text);
      const embedded = await (asked === undefined ? ask(texts) : ask([...texts, asked], texts.length));
      const vector = asked === undefined ? ofQuery(given, embedded[0]) : embedded[texts.length];
      return { vectors: { chunks: embedded.slice(0, texts.length), query: vector } };
    } catch (error) {
      if (error instanceof BadRequest) throw error;
      rethrowControlFlow(error, signal);
      return { degradation: 'embedder-failed' };
    }
  }

  const vectors = ofChunks(chunks);
  const failed: Vectorised = {
    vectors: { chunks: vectors, query: undefined },
    degradation: 'query-not-embedded',
  };
  if (given?.length || asked === undefined)
    return { vectors: { chunks: vectors, query: ofQuery(given, vectors[0]) } };
  if (embedder === undefined) return failed;
  try {
    const [vector] = await ask([asked], 0);
    return vector?.length === vectors[0]?.length ? { vectors: { chunks: vectors, query: vector } } : failed;
  } catch (error) {
    rethrowControlFlow(error, signal);
    return failed;
  }
}

async function embed(
  embedder: Embedder,
  texts: readonly string[],
  queryIndex: number | undefined,
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> {
  const options = { ...(queryIndex === undefined ? {} : { queryIndex }), ...(signal ? { signal } : {}) };
  const answer: unknown = await orAborted(embedder.embed(texts, options), signal);
  checkAnswer(answer, texts.length);
  return pack(answer, (place) => `embedding ${place}`);
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

/** Vectors of chunks and query: from the request, else from the operator's embedder, else none. */
import type { Embedder } from 'context-shaping';
import { checkAnswer, orAborted } from 'context-shaping/internal';
import { messageOf, packVector, rethrowControlFlow } from 'context-shaping/kit';
import { isBlank, type Vectors } from './pipeline.js';
import { BadRequest, type OptimizeDegradation, type OptimizeRequest } from './request.js';

export interface Vectorised {
  /** Absent: compare by words. */
  vectors?: Vectors | undefined;
  degradations: OptimizeDegradation[];
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
  const missing = chunks.filter(({ embedding }) => !embedding?.length).length;
  const asked = isBlank(query) ? undefined : query;
  const ask = (texts: readonly string[], queryIndex?: number) =>
    embed(embedder as Embedder, texts, queryIndex, signal);

  if (missing > 0) {
    if (embedder === undefined) {
      const message = `${missing} of ${chunks.length} chunks have no embedding and the service has no embedder; texts are compared by words instead.`;
      return { degradations: [{ code: 'embeddings-incomplete', message }] };
    }
    try {
      const texts = chunks.map(({ text }) => text);
      const embedded = await (asked === undefined ? ask(texts) : ask([...texts, asked], texts.length));
      const vector = asked === undefined ? ofQuery(given, embedded[0]) : embedded[texts.length];
      return { vectors: { chunks: embedded.slice(0, texts.length), query: vector }, degradations: [] };
    } catch (error) {
      if (error instanceof BadRequest) throw error;
      rethrowControlFlow(error, signal);
      // Without the reason: it may contain addresses, keys or texts of other clients.
      const message = 'The embedder failed; texts are compared by words instead.';
      return { degradations: [{ code: 'embedder-failed', message }] };
    }
  }

  const vectors = ofChunks(chunks);
  const known = (vector: Float32Array | undefined, degradations: OptimizeDegradation[] = []) => ({
    vectors: { chunks: vectors, query: vector },
    degradations,
  });
  if (given?.length || asked === undefined) return known(ofQuery(given, vectors[0]));
  const failed = (why: string) =>
    known(undefined, [
      { code: 'query-not-embedded', message: `${why}; the query is compared with the chunks by words.` },
    ]);
  if (embedder === undefined) return failed('The query has no vector and the service has no embedder');
  try {
    const [vector] = await ask([asked], 0);
    if (vector?.length === vectors[0]?.length) return known(vector);
    return failed(
      `The vectors of the embedder have dimension ${vector?.length}, those of the chunks ${vectors[0]?.length}`,
    );
  } catch (error) {
    rethrowControlFlow(error, signal);
    return failed('The query could not be embedded');
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

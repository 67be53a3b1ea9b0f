/** The two ways LangChain.js offers to choose among retrieved documents by their vectors. */
import { EmbeddingsFilter } from '@langchain/classic/retrievers/document_compressors/embeddings_filter';
import { Document } from '@langchain/core/documents';
import { Embeddings } from '@langchain/core/embeddings';
import { maximalMarginalRelevance } from '@langchain/core/utils/math';
import type { Pool } from '../pool.js';
import { type Method, ranker } from './method.js';

/** `EmbeddingsFilter` with as large a `k` as wanted: plain cosine. */
export const embeddingsFilter: Method = ranker(
  'LangChain EmbeddingsFilter',
  async (pool, k) => {
    const { chunks, question } = pool;
    const documents = chunks.map(
      ({ text }, place) => new Document({ pageContent: text, metadata: { place } }),
    );
    const filter = new EmbeddingsFilter({ embeddings: new GivenVectors(pool), k });
    const kept = await filter.compressDocuments(documents, question);
    return kept.map(({ metadata }) => metadata.place);
  },
  true,
);

/** Maximal marginal relevance as LangChain's vector stores do it, with its own default of lambda. */
export const maximalMarginal: Method = ranker(
  'LangChain MMR',
  (pool, k) => {
    const { question, chunks } = vectorsOf(pool);
    return maximalMarginalRelevance(question, chunks, undefined, k);
  },
  true,
);

function vectorsOf({ vectors }: Pool): NonNullable<Pool['vectors']> {
  if (vectors === undefined) throw new Error('This method needs vectors.');
  return vectors;
}

/** The vectors of one pool, in its order. */
class GivenVectors extends Embeddings {
  readonly #vectors: NonNullable<Pool['vectors']>;

  constructor(pool: Pool) {
    super({});
    this.#vectors = vectorsOf(pool);
  }

  async embedDocuments(): Promise<number[][]> {
    return this.#vectors.chunks;
  }

  async embedQuery(): Promise<number[]> {
    return this.#vectors.question;
  }
}

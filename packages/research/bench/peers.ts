/** Others that shape, on the same input. */
import { EmbeddingsFilter } from '@langchain/classic/retrievers/document_compressors/embeddings_filter';
import { Document } from '@langchain/core/documents';
import { Embeddings } from '@langchain/core/embeddings';
import { maximalMarginalRelevance } from '@langchain/core/utils/math';
import { agnes, type Cluster } from 'ml-hclust';
import type { Pool } from './pools.js';

export const MMR_K = 50;
const MMR_LAMBDA = 0.5;
const FILTER_K = 100;

export function langChainMmr({ queryVector, vectors }: Pool): number[] {
  return maximalMarginalRelevance(queryVector, vectors, MMR_LAMBDA, MMR_K);
}

/** Knows the vectors beforehand, so that no time is spent on embedding. */
class GivenVectors extends Embeddings {
  readonly #pool: Pool;
  readonly #vectors: ReadonlyMap<string, number[]>;

  constructor(pool: Pool) {
    super({});
    this.#pool = pool;
    this.#vectors = new Map(pool.chunks.map(({ text }, i) => [text, pool.vectors[i] as number[]]));
  }

  async embedDocuments(texts: string[]): Promise<number[][]> {
    return texts.map((text) => this.#vectors.get(text) as number[]);
  }

  async embedQuery(): Promise<number[]> {
    return this.#pool.queryVector;
  }
}

export interface LangChainInput {
  question: string;
  embeddings: Embeddings;
  documents: Document[];
}

export const langChainInput = (pool: Pool): LangChainInput => ({
  question: pool.question,
  embeddings: new GivenVectors(pool),
  documents: pool.chunks.map(
    ({ text, metadata }) => new Document({ pageContent: text, metadata: metadata ?? {} }),
  ),
});

export async function embeddingsFilter({ question, embeddings, documents }: LangChainInput) {
  return new EmbeddingsFilter({ embeddings, k: FILTER_K }).compressDocuments(documents, question);
}

/** A filter, then diversity among what it leaves, as one puts them together in LangChain. */
export async function filterThenMmr(input: LangChainInput): Promise<Document[]> {
  const documents = (await embeddingsFilter(input)) as Document[];
  const vectors = await input.embeddings.embedDocuments(documents.map(({ pageContent }) => pageContent));
  const queryVector = await input.embeddings.embedQuery(input.question);
  return maximalMarginalRelevance(queryVector, vectors, MMR_LAMBDA, MMR_K).map(
    (at) => documents[at] as Document,
  );
}

export const averageLinkage = (distances: number[][]): Cluster =>
  agnes(distances, { method: 'average', isDistanceMatrix: true });

/** As its clients send it: the body is made beforehand. */
export const slimContextBody = ({ question, queryVector, chunks }: Pool, tokenBudget: number): string =>
  JSON.stringify({
    query: question,
    query_embedding: queryVector,
    token_budget: tokenBudget,
    chunks: chunks.map(({ id, text, score, embedding }) => ({ id, text, score, embedding })),
  });

export async function slimContext(url: string, body: string): Promise<void> {
  const response = await fetch(`${url}/v1/optimize`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`SlimContext answered ${response.status}: ${text.slice(0, 200)}`);
}

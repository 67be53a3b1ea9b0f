/**
 * Controls for cases with vectors: what LangChain does with them. Whole chunks by
 *
 *   cosine(query, chunk)                                                   top k by cosine
 *   λ · cosine(query, chunk) − (1 − λ) · max over picked p cosine(p, chunk)  MMR by cosine, λ = 0.5
 *
 * The first has the order of LangChain's `EmbeddingsFilter`, the second that of its `maximalMarginalRelevance` with the default
 * of λ. Equal values are in the order of the retriever.
 *
 * Source of MMR: J. Carbonell, J. Goldstein, "The Use of MMR, Diversity-Based Reranking for Reordering Documents and
 * Producing Summaries", 1998.
 */
import { type Control, type ControlledPool, wholeThatFit } from './controls.js';
import type { EvaluationCase } from './types.js';

const LAMBDA = 0.5;

type Vector = ArrayLike<number>;

/** Whether the question and all chunks have vectors of one length. */
export function hasVectors({ query, chunks }: Pick<EvaluationCase, 'query' | 'chunks'>): boolean {
  const length = query.embedding?.length;
  return length !== undefined && chunks.every(({ embedding }) => embedding?.length === length);
}

/** 0 for a vector of zeros. */
function cosine(a: Vector, b: Vector): number {
  let [product, squaresOfA, squaresOfB] = [0, 0, 0];
  for (let at = 0; at < a.length; at++) {
    const [x, y] = [a[at] as number, b[at] as number];
    product += x * y;
    squaresOfA += x * x;
    squaresOfB += y * y;
  }
  return product === 0 ? 0 : product / Math.sqrt(squaresOfA * squaresOfB);
}

const vectorsOf = ({ chunks }: ControlledPool) => chunks.map(({ embedding }) => embedding as Vector);

function byCosine(pool: ControlledPool): number[] {
  const toQuery = vectorsOf(pool).map((vector) => cosine(pool.embedding as Vector, vector));
  return [...toQuery.keys()].sort((a, b) => (toQuery[b] as number) - (toQuery[a] as number));
}

function byMarginalRelevance(pool: ControlledPool): number[] {
  const vectors = vectorsOf(pool);
  const toQuery = vectors.map((vector) => cosine(pool.embedding as Vector, vector));
  const toPicked = vectors.map(() => Number.NEGATIVE_INFINITY);
  const valueAt = (place: number) =>
    LAMBDA * (toQuery[place] as number) - (1 - LAMBDA) * (toPicked[place] as number);
  // Nothing is picked yet: the first is the nearest to the question.
  const order = byCosine(pool).slice(0, 1);
  const left = new Set(vectors.keys());
  for (let last = order[0]; last !== undefined; last = order.at(-1)) {
    left.delete(last);
    if (left.size === 0) break;
    for (const place of left) {
      const similarity = cosine(vectors[last] as Vector, vectors[place] as Vector);
      toPicked[place] = Math.max(toPicked[place] as number, similarity);
    }
    order.push([...left].reduce((best, place) => (valueAt(place) > valueAt(best) ? place : best)));
  }
  return order;
}

const filledInOrder = (name: string, orderOf: (pool: ControlledPool) => number[]): Control => ({
  name,
  read(pool) {
    const order = orderOf(pool);
    return (maxTokens) => wholeThatFit(pool, order, maxTokens);
  },
});

export const VECTOR_CONTROLS: readonly Control[] = [
  filledInOrder('top k by cosine', byCosine),
  filledInOrder('MMR by cosine', byMarginalRelevance),
];

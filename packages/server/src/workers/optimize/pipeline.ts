/**
 * Runs SlimContext's stages. Numbers, ties and the order of the answer are the same as SlimContext's. This code
 * accepts a request that SlimContext would reject because of one unusual passage.
 */
import type { TokenCounter } from 'context-shaping';
import type { Facts } from '../jobs.js';
import { clustersOf, representativesOf } from './clusters.js';
import { compress } from './compress.js';
import { withoutCopies } from './duplicates.js';
import type { OptimizeRequest, OptimizeResponse, RequestChunk } from './request.js';
import { select } from './select.js';
import { among, byVectors, byWords, toQueryByVectors, toQueryByWords } from './similarity.js';
import { readWords, type Words } from './words.js';

/** Vectors of unit length, or zero. */
export interface Vectors {
  /** By position in the request. */
  chunks: readonly Float32Array[];
  query: Float32Array | undefined;
}

export interface Outcome {
  chunks: OptimizeResponse['chunks'];
  stats: Omit<OptimizeResponse['stats'], 'latency_ms'>;
  /** Evicted chunks by reason. */
  evictions: Facts['evictions'];
}

/** @param vectors absent: texts are compared by words. */
export function runStages(
  request: OptimizeRequest,
  vectors: Vectors | undefined,
  countTokens: TokenCounter,
): Outcome {
  const { chunks } = request;
  const chunkAt = (index: number) => chunks[index] as RequestChunk;

  const first = new Map<string, number>();
  const words: Words[] = [];
  for (const [index, { text }] of chunks.entries()) {
    const read = readWords(text);
    if (first.has(read.key)) continue;
    first.set(read.key, index);
    words.push(read);
  }

  // From here on, a position is an index into the distinct texts.
  const distinct = [...first.values()];
  const at = (place: number) => chunkAt(distinct[place] as number);
  const id = (place: number) => at(place).id;
  const score = (place: number) => at(place).score;
  const chunkVectors = vectors && distinct.map((index) => vectors.chunks[index] as Float32Array);
  const similarity = chunkVectors === undefined ? byWords(words) : byVectors(chunkVectors);
  const { cosine } = similarity;
  const asked = isBlank(request.query) ? undefined : readWords(request.query);
  const toQuery =
    chunkVectors !== undefined && vectors?.query !== undefined
      ? toQueryByVectors(chunkVectors, vectors.query)
      : asked && toQueryByWords(words, asked);

  const left = withoutCopies(
    { words, cosine, distances: similarity.distances },
    distinct.map((_, place) => score(place)),
    request.semantic_dedup_threshold,
  );
  const clusters = clustersOf(
    left.length,
    among(left, similarity, distinct.length),
    request.cluster_linkage,
    request.cluster_threshold ?? request.dedup_threshold,
  ).map((members) => members.map((member) => left[member] as number));
  const candidates = clusters.flatMap((cluster) =>
    representativesOf(cluster, {
      strategy: request.representative_strategy,
      maxPerCluster: request.max_per_cluster,
      id,
      score,
      text: (place) => at(place).text,
      cosine,
      toQuery,
    }),
  );

  const candidate = (position: number) => candidates[position] as number;
  const selected = select({
    k: request.target_k,
    lambda: request.enable_mmr ? request.mmr_lambda : undefined,
    scores: candidates.map(score),
    words: candidates.map((place) => words[place] as Words),
    cosine: (a, b) => cosine(candidate(a), candidate(b)),
    toQuery: toQuery && ((position) => toQuery(candidate(position))),
  });

  const kept: OptimizeResponse['chunks'] = [];
  let outputTokens = 0;
  for (const place of selected.map(candidate)) {
    const chunk = at(place);
    const text = request.compress ? compress(chunk.text) : chunk.text;
    const tokens = countTokens(text);
    if (outputTokens + tokens > (request.token_budget ?? Number.POSITIVE_INFINITY)) continue;
    outputTokens += tokens;
    kept.push({ id: chunk.id, text, score: chunk.score, metadata: chunk.metadata });
  }

  const inputTokens = chunks.reduce((sum, { text }) => sum + countTokens(text), 0);
  const copies = { exact: chunks.length - distinct.length, semantic: distinct.length - left.length };
  const overBudget = selected.length - kept.length;
  return {
    chunks: kept,
    evictions: {
      'exact-duplicate': copies.exact,
      'semantic-duplicate': copies.semantic,
      'cluster-member': left.length - candidates.length,
      outranked: candidates.length - selected.length,
      'over-budget': overBudget,
    },
    stats: {
      input_count: chunks.length,
      output_count: kept.length,
      exact_duplicate_count: copies.exact,
      semantic_duplicate_count: copies.semantic,
      cluster_count: clusters.length,
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      reduction_pct:
        inputTokens === 0 ? 0 : roundHalfEven((100 * (inputTokens - outputTokens)) / inputTokens),
      budget_skipped_count: overBudget,
    },
  };
}

export const isBlank = (query: string | null): query is null => query === null || query.trim() === '';

/** Rounds to two decimals as Python does: ties go to the even digit. */
function roundHalfEven(percent: number): number {
  const isTie = Number.isInteger(percent * 8) && (percent * 8) % 2 !== 0;
  if (!isTie) return Number(percent.toFixed(2));
  const below = Math.floor(percent * 100);
  return (below % 2 === 0 ? below : below + 1) / 100;
}

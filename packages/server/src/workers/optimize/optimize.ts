/** `POST /v1/optimize`: bytes in, bytes out. */
import { loadTokenCounter } from 'context-shaping/kit';
import type { Done, Job, Setup } from '../jobs.js';
import { isBlank, type Outcome, runStages } from './pipeline.js';
import { readRequest } from './read-request.js';
import { BadRequest, type OptimizeResponse } from './request.js';
import { vectorsOf } from './vectors.js';

type Optimize = (job: Pick<Job, 'body' | 'isJson'>, signal?: AbortSignal) => Promise<Done & { body: string }>;

/** Loads the vocabulary. The returned function may run many times concurrently. */
export async function createOptimize({ embedder }: Setup): Promise<Optimize> {
  const countTokens = await loadTokenCounter('cl100k_base');
  return async (job, signal) => {
    try {
      const read = readRequest(job);
      if ('errors' in read) return json(422, { detail: read.errors });
      const { request } = read;
      const started = performance.now();
      const { vectors, degradation } = await vectorsOf(request, embedder, signal);
      const hasQuery = vectors?.query !== undefined || !isBlank(request.query);
      if (request.representative_strategy === 'query_closest' && !hasQuery)
        throw new BadRequest('query_embedding is required for query_closest strategy.');
      const outcome = runStages(request, vectors, countTokens);
      const response: OptimizeResponse = {
        chunks: outcome.chunks,
        stats: { ...outcome.stats, latency_ms: Math.round(performance.now() - started) },
      };
      return { ...json(200, response), facts: factsOf(outcome, degradation) };
    } catch (error) {
      if (error instanceof BadRequest) return json(400, { detail: error.message });
      throw error;
    }
  };
}

const json = (status: number, body: object) => ({ status, body: JSON.stringify(body) });

function factsOf({ stats, evictions }: Outcome, degradation: string | undefined): Done['facts'] {
  return {
    chunksIn: stats.input_count,
    chunksOut: stats.output_count,
    tokensIn: stats.input_tokens,
    tokensOut: stats.output_tokens,
    evictions,
    degradations: degradation === undefined ? [] : [degradation],
    flags: [],
  };
}

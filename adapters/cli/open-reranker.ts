/** Opens the reranker that the flags of `calibrate` name, as a judge. */
import { ContextShapingError, type Judge } from '../../src/index.js';
import type { RerankDialect } from '../rerankers/index.js';
import { UsageError } from './errors.js';
import type { Io } from './terminal.js';

export const RERANKERS: readonly RerankDialect[] = ['v1', 'tei'];

/** The environment variable with the key of the service. */
const KEY = 'RERANKER_API_KEY';

export interface RerankerFlags {
  reranker?: RerankDialect;
  model?: string;
  baseUrl?: string;
  timeout?: number;
}

export async function openReranker(
  dialect: RerankDialect,
  flags: RerankerFlags,
  env: Io['env'],
): Promise<Judge> {
  // Loaded here, since the other commands do not need it.
  const { httpReranker, rerankJudge } = await import('../rerankers/index.js');
  const { model, baseUrl, timeout } = flags;
  const timeoutMs = timeout && 1000 * timeout;
  if (baseUrl === undefined) throw new UsageError('--reranker requires --base-url.');
  return rerankJudge(httpReranker({ dialect, model, baseUrl, apiKey: env[KEY] || undefined, timeoutMs }));
}

/** The same error with the key named by its environment variable. Returns any other error unchanged. */
export function keyAsVariable(error: unknown): unknown {
  const names: Record<string, string> = { apiKey: KEY, headers: KEY };
  return ContextShapingError.isInstance(error) ? error.renamed((field) => names[field] ?? field) : error;
}

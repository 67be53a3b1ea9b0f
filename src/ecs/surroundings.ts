/** The conditions on which relevance depends. A model that was measured against relevance was measured under these only. */
import type { ResolvedOptions } from '../input/options.js';
import { COEFFICIENTS } from '../relevance/coefficients.js';
import { digestOf } from '../report/digest.js';

/** The options on which the relevance that a model must beat depends. */
export type Surroundings = Pick<ResolvedOptions, 'embedder' | 'relevance' | 'tokenizer'>;

/** The conditions of one run on which relevance depends. */
export interface Conditions {
  /** Whether the order of the list counts. */
  readonly ranked: boolean;
  /** Whether the question and the passages have vectors of the caller's own. */
  readonly hasVectors: boolean;
}

/** Names and values, in words for messages. */
export function surroundingsOf(
  { embedder, relevance, tokenizer }: Surroundings,
  { ranked, hasVectors }: Conditions,
): Record<string, string> {
  const weights = relevance === false ? undefined : Object.entries(relevance.weights).sort();
  return {
    'relevance.weights': weights === undefined ? 'no relevance' : JSON.stringify(Object.fromEntries(weights)),
    'the learned weights': digestOf(JSON.stringify(COEFFICIENTS)).slice(0, 12),
    embedder:
      embedder !== undefined
        ? `${embedder.provider ?? 'unnamed'}/${embedder.modelId ?? 'unnamed'}`
        : hasVectors
          ? 'none, but vectors of chunks and query'
          : 'none',
    tokenizer: typeof tokenizer === 'function' ? 'a function' : tokenizer,
    'the list': ranked ? 'ranked' : 'not ranked',
  };
}

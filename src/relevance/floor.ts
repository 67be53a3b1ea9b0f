/** The lowest relevance that is kept: the caller's `relevance.floor`. */

import type { PipelineOutput } from '../pipeline.js';
import { gate } from '../pool/gate.js';
import type { Candidate } from '../types.js';

/**
 * Evicts candidates with a relevance below `floor`. Pinned candidates stay, and so do candidates without a measured
 * relevance. If all would be evicted, the most relevant stays, unless `allowEmpty` is true.
 */
export function aboveFloor(
  candidates: readonly Candidate[],
  { floor, allowEmpty }: { floor: number; allowEmpty: boolean },
): PipelineOutput {
  return gate('relevance', candidates, {
    fails: ({ pinned, signals: { relevance = 1 } }) => !pinned && relevance < floor,
    worth: ({ signals }) => signals.relevance ?? 0,
    reasonOf: ({ signals: { relevance = 0 } }) => ({
      reason: 'below-floor',
      floor,
      margin: Math.max(0, floor - relevance),
    }),
    allowEmpty,
    code: 'floor-lifted',
    option: 'relevance.floor',
    bound: floor,
    most: 'is the most relevant',
  });
}

import { SUPPORT_THRESHOLDS } from '../../../src/internal.js';
import type { Grader } from '../types.js';

/** By words alone: the grade is the request's `support`. It costs nothing, and needs no model. */
export function relevanceGrader(): Grader {
  return {
    name: 'relevance',
    batchSize: Number.POSITIVE_INFINITY,
    thresholds: SUPPORT_THRESHOLDS,
    async grade(requests, { signal }) {
      signal?.throwIfAborted();
      return requests.map(({ support }) => ({ grade: support }));
    },
  };
}

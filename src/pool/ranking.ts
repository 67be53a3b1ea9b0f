import type { Candidate } from '../types.js';

/*
 * Total orders for sorting candidates: by a value, then by the retriever's score, then by place in the input. Absent
 * values come last. If the order of the input means nothing, ids decide in place of it.
 */

export type Comparison = (a: Candidate, b: Candidate) => number;

/** The order of the input, or that of ids. */
export const inputOrder: Comparison = (a, b) => (a.place ?? a.index) - (b.place ?? b.index);

const descending = (a: number | undefined, b: number | undefined): number => {
  const difference = (b ?? Number.NEGATIVE_INFINITY) - (a ?? Number.NEGATIVE_INFINITY);
  return Number.isNaN(difference) ? 0 : difference;
};

/** Highest value first. */
/* @__NO_SIDE_EFFECTS__ */ export const by =
  (value: (candidate: Candidate) => number | undefined): Comparison =>
  (a, b) =>
    descending(value(a), value(b)) || descending(a.score, b.score) || inputOrder(a, b);

export const byScore: Comparison = by((candidate) => candidate.score);

/**
 * Most relevant first. Ties go to the better score, then to the earlier place in the input; an absent relevance or score
 * comes last. A total order, for `toSorted`.
 */
export const byRelevance: Comparison = by((candidate) => candidate.signals.relevance);

/** The most trusted tier first, then as `comparison` says. */
export const trustedFirst =
  (comparison: Comparison): Comparison =>
  (a, b) =>
    (a.tier ?? 0) - (b.tier ?? 0) || comparison(a, b);

/** Pinned ones first, then as `comparison` says. */
export const pinnedFirst =
  (comparison: Comparison): Comparison =>
  (a, b) =>
    Number(b.pinned) - Number(a.pinned) || comparison(a, b);

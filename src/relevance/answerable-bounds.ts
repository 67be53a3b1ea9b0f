/**
 * From `upper` a probability is `likely`, below `lower` it is `unlikely`. On sets of documents left out, with the answer in
 * every second pool, at least four of five verdicts are right. `lower` is farther from one half, because corrective
 * retrieval throws away texts below it.
 */
export const ANSWERABLE_BOUNDS = Object.freeze({ lower: 0.2, upper: 0.7 });

import { SUPPORT } from './support-coefficients.js';

/** The bounds between the three actions of corrective retrieval, for the probabilities that `support` computes. */
export const SUPPORT_THRESHOLDS = Object.freeze({ lower: SUPPORT.lower, upper: SUPPORT.upper });

/** An explanation of the outcome of one chunk, as data. */
import type { Eviction, KeptEntry } from '../../src/index.js';
import type { Cause } from './causes/causes.js';
import type { Counterfactuals, Remedy } from './counterfactuals.js';

/** A kept chunk that had an advantage over the explained one. */
export interface Rival {
  id: string;
  /** Index in the input, from 0. */
  index: number;
  relevance?: number;
  /** Its relevance less that of the explained chunk; below 0 if it is less relevant. Absent unless both were measured. */
  by?: number;
  /** The features that made most of the difference, in log-odds, the greatest difference first; at most three. */
  features: { name: string; own: number; theirs: number }[];
}

/** The outcome of one chunk, its cause, and what would change it. Plain JSON. */
export interface Explanation {
  id: string;
  /** Index in the input, from 0. */
  index: number;
  outcome: 'kept' | 'cut' | 'evicted';
  /** The stage that evicted it. */
  stage?: string;
  /** The reason of its eviction. */
  reason?: string;
  /** Its entry of the ledger, if it was evicted. */
  eviction?: Eviction;
  /** Its entry of the ledger, if it was kept. */
  entry?: KeptEntry;
  relevance?: number;
  /** Its place among all chunks with a measured relevance, from 1. Ties go to the earlier chunk of the input. */
  rank?: { place: number; of: number };
  /** A stable code to switch on. The page on explanations lists all codes. */
  cause: Cause;
  /** Absent if no change of options is known to help. */
  remedy?: Remedy;
  /** The kept chunks that had an advantage over it; at most three. Empty for kept chunks. */
  rivals: Rival[];
  /** Absent if only a report was given. */
  counterfactuals?: Counterfactuals;
  /** The explanation in plain English. */
  sentences: string[];
}

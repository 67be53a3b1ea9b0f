/** An explanation of the outcome of one chunk, as data. */
import type { Eviction, KeptEntry } from '../../src/index.js';
import type { Cause } from './causes/causes.js';
import type { Claim, Rival } from './claims.js';
import type { Counterfactuals, Remedy } from './counterfactuals.js';

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
  /** A stable code to switch on: a fault if there is one, else the reason. The page on explanations lists all codes. */
  cause: Cause;
  /** The smallest change of options that is known to help. Absent if there is none. */
  remedy?: Remedy;
  /** The chunks that had an advantage over it; at most three. Empty for kept chunks. */
  rivals: Rival[];
  /** Absent if only a report was given. */
  counterfactuals?: Counterfactuals;
  /** All that the explanation says, as data. */
  claims: Claim[];
  /** The claims in plain English. Details, such as relevance in numbers, are in `claims` alone. */
  sentences: string[];
}

/** An explanation of the outcome of one chunk, as data. */
import type { Eviction, KeptEntry } from '../../src/index.js';
import type { Cause, Remedy } from './causes.js';
import type { Counterfactuals } from './runs.js';

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
  /** A stable code to switch on: a fault of the list's order, else the reason. The page on explanations lists all codes. */
  cause: Cause;
  /** A sentence about the cause. Absent for the reason of an eviction: the ledger has its evidence. */
  because?: string;
  /** The smallest change of options that was found to bring it back. Absent if none was. */
  remedy?: Remedy;
  /** The chunks that had an advantage over it; at most two. Empty for kept chunks. */
  rivals: Rival[];
  /** Absent if only a report was given. */
  counterfactuals?: Counterfactuals;
  /** The degradations of the run. */
  notes: { code: string; message: string }[];
  /** The explanation in plain English. */
  sentences: string[];
}

/** A chunk that had an advantage over the explained one. */
export interface Rival {
  id: string;
  /** Index in the input, from 0. */
  index: number;
  /** Whether it stands in for the explained chunk, as a copy or as the preferred side of a conflict. */
  isStandIn: boolean;
  /** Whether it is in the result. A chunk that stood in for a copy can be evicted later. */
  isKept: boolean;
  relevance?: number;
  /** Its relevance less that of the explained chunk; below 0 if it is less relevant. Absent unless both were measured. */
  by?: number;
}

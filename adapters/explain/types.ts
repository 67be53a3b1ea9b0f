/** An explanation of the outcome of one chunk, as data. */
import type { Eviction, KeptEntry } from '../../src/index.js';
import type { Cause, Remedy } from './causes.js';
import type { BindingLimits } from './limits.js';
import type { Counterfactuals, KeptValues } from './runs.js';

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
  /** The smallest change of options that was found to help. Absent if none was. */
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

/** One change of the input or of the options. */
export type Change =
  /** For `shaper.with`. */
  | { options: Record<string, unknown> }
  /** The option `pin` with this id more. */
  | { pin: string }
  /** The input without this chunk. */
  | { without: { id: string; index: number } };

/** A chunk that had an advantage over the explained one. */
export interface Rival {
  id: string;
  /** Index in the input, from 0. */
  index: number;
  /** Whether it is in the result. A chunk that stood in for a copy can be evicted later. */
  isKept: boolean;
  relevance?: number;
  /** Its relevance less that of the explained chunk; below 0 if it is less relevant. Absent unless both were measured. */
  by?: number;
  /** The features that made most of the difference, in log-odds, the greatest difference first; at most three. */
  features: { name: string; own: number; theirs: number }[];
}

export type Claim =
  | {
      kind: 'outcome';
      id: string;
      index: number;
      outcome: 'kept' | 'cut' | 'evicted';
      eviction?: Eviction;
      /** The smallest change that was found to bring an evicted chunk back. Absent: none of those that were tried does. */
      change?: Change;
      /** Whether runs were possible. Without them, `change` is what the report alone suggests. */
      isTried: boolean;
    }
  /** About the cause: a fault, an observation, or why the chunk stays. */
  | { kind: 'cause'; says: string }
  | ({ kind: 'limits' } & BindingLimits)
  | { kind: 'place'; relevance: number; place: number; of: number }
  /** It was evicted before relevance was measured. */
  | { kind: 'unmeasured' }
  | { kind: 'stand-in'; rival: Rival }
  | { kind: 'rival'; rival: Rival }
  /** Each of these changes alone keeps the chunk, or evicts it. */
  | { kind: 'changes'; keeps: boolean; changes: Change[] }
  /** This budget keeps a chunk whole that is cut, and one token less does not. */
  | { kind: 'whole'; maxTokens: number }
  | { kind: 'values'; values: KeptValues }
  /** At so many values of the option, or absences, a service would have to be asked. */
  | { kind: 'unknown'; of: KeptValues['option'] | 'absence'; count: number }
  | { kind: 'needs-input' }
  /** A degradation of the run. */
  | { kind: 'note'; code: string; message: string };

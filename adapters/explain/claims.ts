/** The claims of an explanation, as data: each is read off the report or off a run, and makes one sentence. */
import type { Eviction } from '../../src/index.js';
import type { KeptRanges } from './counterfactuals.js';

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

/** The limits of the result, as options. */
export type LimitName = 'k' | 'budget.maxTokens' | 'budget.perSource' | 'budget.chunksPerSource' | 'trust';

export type Claim =
  | {
      kind: 'outcome';
      id: string;
      index: number;
      outcome: 'kept' | 'cut' | 'evicted';
      eviction?: Eviction;
      /** The smallest change that brings an evicted chunk back. Absent: none of those that were tried. */
      change?: Change;
      /** Whether runs were possible. Without them, `change` is what the report alone suggests. */
      isTried: boolean;
    }
  /** About the cause: a fault, an observation, or why the chunk stays. */
  | { kind: 'cause'; says: string }
  /** Without all of these limits it is kept, and without fewer it is not. `isEnough` false: not even without all limits. */
  | { kind: 'limits'; limits: LimitName[]; isEnough: boolean }
  | { kind: 'place'; relevance: number; place: number; of: number }
  /** It was evicted before relevance was measured. */
  | { kind: 'unmeasured' }
  | { kind: 'stand-in'; rival: Rival }
  | { kind: 'rival'; rival: Rival }
  /** Each of these changes alone keeps the chunk, or evicts it. */
  | { kind: 'changes'; keeps: boolean; changes: Change[] }
  /** The least budget that keeps a chunk whole that is cut. */
  | { kind: 'whole'; maxTokens: number }
  | { kind: 'ranges'; ranges: KeptRanges }
  /** At so many values of the option, or absences, a service would have to be asked. */
  | { kind: 'unknown'; of: KeptRanges['option'] | 'absence'; count: number }
  | { kind: 'needs-input' }
  /** A degradation of the run. */
  | { kind: 'note'; code: string; message: string };

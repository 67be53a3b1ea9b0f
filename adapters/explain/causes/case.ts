/** The facts from which a cause is found. */
import type { Chunk, Eviction, ShapingReport } from '../../../src/index.js';
import type { Counterfactuals } from '../counterfactuals.js';
import type { Runs } from '../runs.js';
import type { Found } from '../subject.js';

export interface Case {
  readonly report: ShapingReport;
  readonly found: Found;
  /** Absent if only a report was given. */
  readonly runs?: Runs | undefined;
  readonly counterfactuals?: Counterfactuals | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An evicted chunk's case. */
export type EvictedCase = Case & { readonly found: { readonly eviction: Eviction } };

/** The options that a report shows: resolved, without functions and services. */
export interface ShownOptions {
  k?: number | null;
  budget?: {
    maxTokens?: number | null;
    reserve?: number;
    perSource?: number | null;
    chunksPerSource?: number | null;
  };
  pin?: string[] | 'custom';
  namespace?: string | null;
  trust?: { value: string; k?: number | null; maxTokens?: number | null }[];
  [other: string]: unknown;
}

export const optionsOf = ({ report }: Case): ShownOptions => report.options as ShownOptions;

/** The chunks of the input. Absent if only a report was given. */
export const chunksOf = ({ runs }: Case): readonly Chunk[] | undefined => runs?.inside.input.chunks;

export const degradationsOf = ({ report }: Case, code: string) =>
  report.degradations.filter((each) => each.code === code);

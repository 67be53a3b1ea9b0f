/** Changes of options that would change the outcome of a chunk, as data. */

/**
 * The values of one option at which a chunk is kept, all else unchanged. Every value of `tried` was run, except for budgets
 * that make the same comparisons as a budget that was run: their results are the same.
 */
export interface KeptRanges {
  option: 'budget.maxTokens' | 'k' | 'select.lambda' | 'cluster.maxPerCluster';
  /** The value of the run; null: no limit. */
  current: number | null;
  /** The values that were run. */
  tried: { from: number; to: number; step: number };
  /**
   * The ranges of values at which the chunk is kept, whole or cut, both ends inclusive, ascending. `null` as the end: with
   * every greater value too, because nothing changes beyond `tried.to`.
   */
  kept: [from: number, to: number | null][];
  /** The least value at which it is kept; null if there is none. */
  least: number | null;
  /** The least value from which on it is always kept; null if there is none. */
  always: number | null;
  /** The same two values for the whole chunk, uncut. */
  whole: { least: number | null; always: number | null };
  /** Number of tried values at which a service would have to be asked. They are in no range. */
  unknown: number;
}

/** The changes that change the outcome of a chunk. Every entry is a run that was made. */
export interface Counterfactuals {
  /** Absent if the stage is off that reads the option. */
  maxTokens?: KeptRanges;
  k?: KeptRanges;
  lambda?: KeptRanges;
  maxPerCluster?: KeptRanges;
  /** Whether the option `pin` with the id of the chunk keeps it. Absent for kept chunks, and if it is unknown. */
  pin?: boolean;
  /**
   * Chunks whose absence from the input, one at a time, changes the outcome: without one of them an evicted chunk is kept,
   * and a kept chunk is evicted. All kept chunks, and all chunks that stood in for a copy, were tried.
   */
  absence: { id: string; index: number }[];
  /** Number of absences at which a service would have to be asked. */
  absenceUnknown: number;
}

/** A change of options that brings an evicted chunk back: of one option if one is enough. */
export interface Remedy {
  /** For `shaper.with`, as plain JSON. */
  options: Record<string, unknown>;
  /** Whether a run with these options kept the chunk. `false`: no run was possible. */
  isVerified: boolean;
}

/** The next greater value that keeps the chunk; of `lambda`, the nearest one. */
export function nearestIn({ option, kept, current }: KeptRanges): number | undefined {
  const now = current ?? Number.POSITIVE_INFINITY;
  const next = kept.find(([from]) => from > now)?.[0];
  if (option !== 'select.lambda' || next !== undefined) return next;
  return kept.findLast(([, to]) => (to ?? now) < now)?.[1] ?? undefined;
}

/** The next smaller value that evicts the chunk, else the next greater one. */
export function nearestOut({ kept, current, tried, unknown }: KeptRanges): number | undefined {
  const now = Math.min(current ?? tried.to, tried.to);
  const range = kept.find(([from, to]) => from <= now && now <= (to ?? tried.to));
  if (range === undefined || unknown > 0) return undefined;
  const rounded = (value: number) => Math.round(value * 100) / 100;
  const [below, above] = [range[0] - tried.step, (range[1] ?? tried.to) + tried.step].map(rounded) as [
    number,
    number,
  ];
  if (below >= tried.from) return below;
  return range[1] !== null && above <= tried.to ? above : undefined;
}

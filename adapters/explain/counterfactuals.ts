/** Changes that change the outcome of a chunk, as data. */

/** The changes that change the outcome of the chunk. Every entry is a run that was made. */
export interface Counterfactuals {
  /** Absent if the stage is off that reads the option. */
  maxTokens?: KeptValues;
  k?: KeptValues;
  lambda?: KeptValues;
  maxPerCluster?: KeptValues;
  /**
   * For a cut chunk: a greater `budget.maxTokens` that keeps it whole. With one token less it is not whole. Absent if none
   * was found.
   */
  whole?: number;
  /** Whether the option `pin` with the id of the chunk keeps it. Absent for kept chunks, and if it is unknown. */
  pin?: boolean;
  /**
   * Chunks whose absence from the input, one at a time, changes the outcome: without one of them an evicted chunk is kept,
   * and a kept chunk is evicted. At most eight are tried: the chunk that stands in for it, then kept chunks: sides of a
   * conflict, then the least relevant first.
   */
  absence: { id: string; index: number }[];
  /** Number of absences at which a service would have to be asked. */
  absenceUnknown: number;
}

/** The outcomes of the chunk at some values of one option, all else unchanged. Other values were not run: they can have other outcomes. */
export interface KeptValues {
  option: 'budget.maxTokens' | 'k' | 'select.lambda' | 'cluster.maxPerCluster';
  /** The value of the run; null: no limit. */
  current: number | null;
  /**
   * A value that changes the outcome: it keeps an evicted chunk, or evicts a kept one. One step nearer to the current value,
   * the outcome is that of the run, or unknown. A step is 1, or 0.1 of `select.lambda`. Null: none was found.
   */
  nearest: number | null;
  /** The values that were run and keep the chunk, whole or cut, ascending. */
  kept: number[];
  /** The values that were run and evict it, ascending. */
  evicted: number[];
  /** The values at which a service would have to be asked, ascending. */
  unknown: number[];
}

/** A change of options that brings an evicted chunk back: of one option if one is enough. */
export interface Remedy {
  /** For `shaper.with`, as plain JSON. */
  options: Record<string, unknown>;
  /** Whether a run with these options kept the chunk. `false`: no run was possible. */
  isVerified: boolean;
}

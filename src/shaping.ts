/** The types that a program uses: a shaper and a session, with the inputs and results of each. */
import type { Ranked } from './input/list-order.js';
import type { ResolvedOptions } from './input/options.js';
import type { ShapingOptions } from './input/shaping-options.js';
import type { Chunk, Query, ShapedChunk, ShapingReport } from './types.js';

export interface ShapingInput<T extends Chunk = Chunk> {
  query: Query | string;
  chunks: readonly T[];
  /** The trust in the order of the chunks. It counts if the option `ranked` is `auto`, the default. */
  ranked?: Ranked | undefined;
  /** Aborts the call: `shape` then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

export interface ShapingResult<T extends Chunk = Chunk> {
  chunks: ShapedChunk<T>[];
  report: ShapingReport;
}

export interface Shaper {
  /** Every option, with defaults filled in. */
  readonly options: ResolvedOptions;
  /** Names of the stages that run, in order. */
  readonly stages: readonly string[];
  /**
   * Shapes one retrieval result. Stateless: any number of calls may run at once.
   *
   * @throws ContextShapingError `invalid-input`, naming the wrong value of the query or of a chunk.
   * @throws the signal's reason, when aborted.
   */
  shape<T extends Chunk = Chunk>(input: ShapingInput<T>): Promise<ShapingResult<T>>;
  /**
   * Derives a shaper with the same options and services, except for `overrides`: the shaper that `createShaper` makes
   * of the first options with the overrides written into them. Groups are merged, so `{ budget: { maxTokens: 500 } }`
   * leaves `budget.reserve` as it is. `undefined` changes nothing; `null` returns an option to its default. This shaper
   * stays as it is.
   *
   * @throws ContextShapingError `invalid-options`, naming the first option that is wrong.
   */
  with(overrides: ShapingOverrides): Shaper;
  /**
   * Opens a session: this input can then be shaped with other budgets, `k` and so on, at a fraction of the time.
   */
  session<T extends Chunk = Chunk>(input: ShapingInput<T>): ShapingSession<T>;
}

/** Options for {@link Shaper.with}: `null` returns an option to its default. */
export type ShapingOverrides = { [K in keyof ShapingOptions]: ShapingOptions[K] | null };

/** Options for {@link ShapingSession.at}: those of {@link ShapingOverrides}, and `lambda`, short for `select.lambda`. */
export type SessionOverrides = ShapingOverrides & { lambda?: number | undefined };

/**
 * One retrieval result, to be shaped with different options. Texts are read and tokens
 * counted once. No service is asked the same question twice. Observers (`onReport`, `onEvict`, `onStage`, `telemetry`) are not called.
 */
export interface ShapingSession<T extends Chunk = Chunk> {
  /** The options of the shaper, with defaults filled in. */
  readonly options: ResolvedOptions;
  /**
   * The result of `shaper.with(overrides).shape(input)`, except for the stages' milliseconds and the usage of services, and
   * without the failures of observers, which are not called.
   *
   * @throws the errors of `with` and of `shape`.
   */
  at(overrides?: SessionOverrides, call?: { signal?: AbortSignal | undefined }): Promise<ShapingResult<T>>;
}

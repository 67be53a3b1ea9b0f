/** The data of a batch, and the port that does the work. */

/** One line of the input. */
export interface BatchLine {
  /** Its number, counted from 1. */
  line: number;
  /** Its bytes, without the line break. */
  bytes: Uint8Array;
}

/** The outcome of a line: one line of the output, or one of the rejects. */
export type Outcome =
  | {
      is: 'shaped';
      /** JSON of `{ id, chunks, report }`: an object with at least one key. The batch adds the number of the line. */
      json: string | Uint8Array;
    }
  | { is: 'rejected'; problem: Rejection };

/** Why a line has no result. */
export interface Rejection {
  /** A sentence that names the problem. */
  detail: string;
  /** JSON path of the wrong value in the line. */
  field?: string | undefined;
  /** A sentence that says what to write instead. */
  remedy?: string | undefined;
}

/**
 * Shapes lines, in threads of this process or in other processes. `run` resolves for every line: a wrong line, and one that
 * failed at each attempt, is rejected with an outcome. It throws only if no line can be shaped any more, or the reason of
 * the signal.
 */
export interface Executor {
  /** Lines that should be under way at once, so that no worker waits. */
  readonly concurrency: number;
  run(line: BatchLine, signal: AbortSignal): Promise<Outcome>;
  /** The outcomes of all lines up to this one are safe on disk, so nothing of them need be kept. */
  settled?(line: number): void;
  close(): Promise<void>;
}

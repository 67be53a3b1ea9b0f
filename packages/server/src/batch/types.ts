/** The data of a batch, and the port that does the work. */
import type { JsonObject } from 'context-shaping/kit';
import type { Checkpoint } from './checkpoint.js';

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
 * Shapes lines, in threads of this process or in other processes. Lines beyond its workers wait. `run` resolves for every line: a wrong line, and one that
 * failed at each attempt, is rejected with an outcome. It throws only if no line can be shaped any more, or the reason of
 * the signal.
 */
export interface Executor {
  run(line: BatchLine, signal: AbortSignal): Promise<Outcome>;
  close(): Promise<void>;
}

export interface BatchOptions {
  /** File of JSON lines. It must not change during the batch. */
  in: string;
  /**
   * File for the results, a line each, in the order of the input. Others are beside it: `.rejects.jsonl` for the lines
   * without a result, `.checkpoint`, `.lock`.
   */
  out: string;
  /** Starts what shapes the lines, when the files are checked. The batch closes it. */
  executor: () => Promise<Executor>;
  /** All else that results depend on: JSON. A batch goes on only with the same settings. */
  settings: JsonObject;
  /** Begins anew if the outputs exist. Default false. */
  overwrite?: boolean | undefined;
  /** Lines with more bytes are rejected. Default 16 MiB. */
  maxLineBytes?: number | undefined;
  /** Milliseconds between checkpoints. Default 1000. */
  checkpointMs?: number | undefined;
  signal: AbortSignal;
  /** Called at the start, and whenever lines are written. */
  onProgress?: ((progress: BatchProgress) => void) | undefined;
}

/** How far a batch is, since its first start. */
export type BatchProgress = Pick<Checkpoint, 'line' | 'shaped' | 'rejected' | 'blank' | 'bytes' | 'size'>;

/** The stages that users write: their input and their output. */
import type { Candidate, Eviction } from './types.js';

/** The query as stages see it: checked, and with its vector at unit length (or all zero). */
export interface ShapingQuery {
  readonly text: string;
  /** The right answer, where the caller knows it. */
  readonly answer?: string;
  /** The conversation before the query, oldest turn first. Absent if it is empty. */
  readonly history?: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[];
  /** In the same vector space as the candidates' vectors. Absent without vectors. Read it, never write to it. */
  readonly vector?: Float32Array;
}

/** The input of a stage. Everything in it is frozen; vectors cannot be frozen, and must not be changed. */
export interface StageInput {
  readonly query: ShapingQuery;
  /**
   * All candidates that earlier stages kept, in the order in which the last stage left them: before `select` usually
   * the order of the input, after it the order of selection, after `order` the order of the result.
   */
  readonly candidates: readonly Candidate[];
  /** Copies of the evictions by earlier stages, in the order of the stages. */
  readonly evicted: readonly Eviction[];
  /** Shares the thread. In long loops: `if (pacer.due()) await pacer.pause();`. An abort rejects `pause`. */
  readonly pacer: { due(): boolean; pause(): Promise<void> };
  /** The caller's signal; absent if the caller gave none. */
  readonly signal?: AbortSignal;
  /**
   * Pass it to every service that the stage calls. It aborts as `signal` does, and when `deadlineMs` is over; absent
   * where there is neither.
   */
  readonly serviceSignal?: AbortSignal;
}

/** A candidate that a stage evicts. The report has it with the reason `custom` and the name of the stage. */
export interface StageEviction {
  readonly candidate: Candidate;
  /**
   * Why, as plain JSON: ids and numbers, not texts. At most 2,000 characters as JSON. Entries that are `undefined` are
   * left out.
   */
  readonly evidence: Readonly<Record<string, unknown>>;
  /** By how much the candidate fell short, in a unit of the stage's own; finite, at least 0. */
  readonly margin?: number | undefined;
}

/** The output of a stage: every candidate that it was given exactly once, in `kept` or in `evicted`. */
export interface StageOutput {
  /**
   * Candidates as they came, or with another relevance (`withRelevance`): nothing else of a candidate may change. The
   * order counts for stages that follow the order of the list, such as `budget` after `select`, and is the order of the
   * result after `order`.
   */
  readonly kept: readonly Candidate[];
  /** Absent: none. */
  readonly evicted?: readonly StageEviction[] | undefined;
  /**
   * One sentence for the report about each part that did not work as asked, with the stage's fallback. Absent:
   * nothing.
   */
  readonly degradations?: readonly string[] | undefined;
}

/**
 * A step of the pipeline: a plain object, or an instance of a class. The option `stages` places it among the default
 * stages.
 *
 * A stage returns the same output for the same input: no clock, no random numbers, no state that a call leaves to the
 * next one. Several calls may run at the same time.
 *
 * An error that `run` throws rejects the call with a `ContextShapingError` of the kind `stage`. A stage that can go on
 * without a service catches the error, and describes its fallback in `degradations`. The reason of `signal` and
 * interrupts of a graph pass through unchanged.
 */
export interface Stage {
  /** The version of this interface that the stage is written for. */
  readonly specificationVersion: 'v1';
  /**
   * Names the stage in the report: lower-case words with hyphens, at most 40 characters, such as `cap-authors`. Unique
   * among the stages of a shaper, and not the name of a default stage or of a relevance feature.
   */
  readonly name: string;
  run(input: StageInput): StageOutput | Promise<StageOutput>;
}

/**
 * A default stage. It has only its name, and can be kept or left out. The names, in order: `flag`, `annotate`,
 * `exact-dedup`, `embed`, `semantic-dedup`, `relevance`, `cluster`, `ecs`, `select`, `extract`, `budget`, `order`.
 */
export type DefaultStage = Pick<Stage, 'specificationVersion' | 'name'>;

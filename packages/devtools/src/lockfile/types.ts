import type { Query, Ranked, ShapingReport } from 'context-shaping';

/** It rises if a field changes its meaning or is removed. New fields do not raise it. */
export const LOCKFILE_VERSION = 3;

/**
 * Everything that one context came from, and its report: plain JSON. A replay gives the same report without any service,
 * also in another runtime if it divides scripts without spaces into the same words. The times of the stages and the usage
 * of services are 0, since they differ in each run.
 */
export interface ContextLockfile {
  lockfileVersion: typeof LOCKFILE_VERSION;
  /** The release that shaped this context. */
  library: { name: string; version: string };
  input: {
    query: Pick<Query, 'text' | 'answer' | 'history'> & { embedding?: RecordedVector };
    /** In the order of the input. */
    chunks: RecordedChunk[];
    ranked?: Ranked;
  };
  /** The options that the caller gave, without defaults, services and functions. */
  options: Record<string, unknown>;
  /** Paths of the options that are functions, sorted. A replay needs `stages`, `tokenizer` and `ecs.prompt` again. */
  functions: string[];
  /** Ids of the chunks that the function `pin` pinned. Absent if `pin` is no function. */
  pinned?: string[];
  /** The names of the services: `embedder`, `model`, `judge`. */
  services: Record<string, { provider?: string; modelId?: string }>;
  answers: RecordedAnswers;
  report: ShapingReport;
  /** SHA-256, hexadecimal, of the lockfile as JSON without this field. */
  digest: string;
}

/**
 * The components of a vector: `f32:` or `f64:`, and the numbers in base64, the least significant byte first. 32-bit
 * floats are used if they give the same unit vector to the bit.
 */
export type RecordedVector = string;

export interface RecordedChunk {
  id: string;
  score?: number;
  text: string;
  rendered?: string;
  embedding?: RecordedVector;
  /** Dates, big integers and numbers that JSON lacks are objects with the one key `$date`, `$bigint` or `$number`. */
  metadata?: Record<string, unknown>;
}

/** The answers of services by the question, such as `document TEXT`. */
export interface RecordedAnswers {
  vectors: Record<string, RecordedVector>;
  answers: Record<string, unknown>;
  /** The words of failures in the report, by the question, or by the method of a call that failed as a whole. */
  failures: Record<string, string>;
}

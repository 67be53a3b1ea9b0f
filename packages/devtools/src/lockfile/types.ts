import type {
  Embedder,
  Judge,
  LogprobModel,
  Ranked,
  SentenceScorer,
  ShapingInput,
  ShapingOverrides,
  ShapingReport,
} from 'context-shaping';

/** It rises if a field changes its meaning or is removed. New fields do not raise it. */
export const LOCKFILE_VERSION = 2;

/**
 * Which texts a lockfile has. `full`: all. `hashed`: the question, and SHA-256 of every passage and of every earlier
 * turn; to replay it, give the input. `none`: a report only, which can be compared but not replayed.
 */
export type LockfileTexts = 'full' | 'hashed' | 'none';

/**
 * Everything that one context came from, and its report: plain JSON. A replay gives the same report without any service,
 * also in another runtime if it divides scripts without spaces into the same words. The times of the stages and the usage of services are 0, since they differ in each run.
 */
export interface ContextLockfile {
  lockfileVersion: typeof LOCKFILE_VERSION;
  /** The release that shaped this context. */
  library: { name: string; version: string };
  texts: LockfileTexts;
  input: RecordedInput;
  /** The options that the caller gave, without defaults, services and functions. Keys are sorted. */
  options: Record<string, unknown>;
  /** Paths of the options that are functions, sorted. A replay needs `stages`, `tokenizer` and `ecs.prompt` again. */
  functions: string[];
  /** Ids of the chunks that the function `pin` pinned. Absent if `pin` is no function. */
  pinned?: string[];
  services: RecordedServices;
  report: ShapingReport;
  /** SHA-256, hexadecimal, of the lockfile as JSON without this field. The report in it has a digest of its own. */
  digest: string;
}

export interface RecordedInput {
  /** `embedding` is a vector in the form of {@link RecordedVector}. */
  query: { text: string; answer?: string; embedding?: RecordedVector; history?: RecordedTurn[] };
  /** In the order of the input. */
  chunks: RecordedChunk[];
  ranked?: Ranked;
}

/** A turn of the conversation before the query. With hashed texts it has `hash` in place of `text`. */
export interface RecordedTurn {
  role: 'user' | 'assistant';
  text?: string;
  /** SHA-256 of `text`, hexadecimal. */
  hash?: string;
}

/**
 * The components of a vector: `f32:` or `f64:`, and the numbers in base64, the least significant byte first. 32-bit
 * floats are used if they give the same unit vector to the bit.
 */
export type RecordedVector = string;

/** A chunk of the input. With hashed texts it has `hash` in place of `text`, and `rest` in place of all other fields. */
export interface RecordedChunk {
  id: string;
  score?: number;
  text?: string;
  rendered?: string;
  embedding?: RecordedVector;
  /** Dates, big integers and numbers that JSON lacks are objects with the one key `$date`, `$bigint` or `$number`. */
  metadata?: Record<string, unknown>;
  /** SHA-256 of `text`, hexadecimal. */
  hash?: string;
  /** SHA-256 of `rendered`, `embedding` and `metadata`. Absent if the chunk has none of them. */
  rest?: string;
}

export interface RecordedIdentity {
  provider?: string;
  modelId?: string;
}

/** A service, and the messages of its failures, by the method, or by the key of the request. */
export interface RecordedService extends RecordedIdentity {
  failures?: Record<string, string>;
}

export interface RecordedServices {
  /** Vectors by `query` or `document` and SHA-256 of the text: `document 9f86d0…`. A malformed vector is as it was. */
  embedder?: RecordedService & { vectors: Record<string, unknown> };
  /** Answers by the method and SHA-256 of the request. */
  model?: RecordedService & { answers: Record<string, unknown> };
  judge?: RecordedService & { answers: Record<string, unknown> };
  scorer?: RecordedService & { answers: Record<string, unknown> };
}

/** Values that a lockfile does not have, or that replace those of the lockfile. */
export interface OpenOptions {
  /** Options to change, as for `shaper.with`. Functions that the lockfile names belong here. */
  options?: ShapingOverrides | undefined;
  /** Services to ask, in place of their recorded answers. */
  services?:
    | {
        embedder?: Embedder | undefined;
        model?: LogprobModel | undefined;
        judge?: Judge | undefined;
        scorer?: SentenceScorer | undefined;
      }
    | undefined;
  /** The input of a lockfile with hashed texts. Each chunk must be the recorded one. */
  input?: ShapingInput | undefined;
}

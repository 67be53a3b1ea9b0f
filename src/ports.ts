/** The interfaces to outside services. Everything that waits, costs money or fails goes through one of them. */
import type { Chunk, ModelUsage, ShapedChunk, ShapingReport, StageTrace } from './types.js';

/**
 * The identity of an object that implements a port. All fields are optional for your own objects; objects made by this
 * package have the fields that they know. Reports show `provider/modelId` in `options`, and caches use both as the default
 * namespace.
 */
export interface PortIdentity {
  /** The version of the port that the object is written for. Absent: `v1`. */
  readonly specificationVersion?: 'v1' | undefined;
  /** The software or service that runs the model: `ollama`, `llama.cpp`, `langchain`. */
  readonly provider?: string | undefined;
  /** The name of the model at the provider. Absent if only the running service knows it: then call `identify`. */
  readonly modelId?: string | undefined;
}

/**
 * Turns texts into vectors.
 *
 * @param texts distinct texts, in a stable order; the query is one of them if its vector is needed.
 * @param options `queryIndex`: place of the query in `texts`, for models that embed queries and passages differently;
 *   absent if there is no query. `signal`: aborts the request.
 * @returns one vector per text, in the same order: finite numbers, all vectors of one dimension, of any length.
 */
export interface Embedder extends PortIdentity {
  /**
   * Whether the vector of a text is made of fixed vectors of its tokens, as those of model2vec are. Such vectors know no
   * context, so their cosines count for less. Absent: no.
   */
  readonly isStatic?: boolean | undefined;
  embed(
    texts: readonly string[],
    options: { queryIndex?: number; signal?: AbortSignal },
  ): Promise<readonly ArrayLike<number>[]>;
}

/** Counts the tokens of a text: a whole number, at least 0, the same for the same text. */
export type TokenCounter = (text: string) => number;

/** A token of a text, or one that may follow it. */
export interface TokenProbability {
  /** The text of the token. If several tokens form one character, each part is U+FFFD or ''. */
  text: string;
  /** Its number in the model's vocabulary, if the service reports it. */
  id?: number;
  /** Natural logarithm of its probability, at most 0. */
  logprob: number;
}

/** The log-probability of a text after a prompt. */
export interface ScoredText {
  /** The tokens that were scored, in order. If `exact` is false, the last tokens of the text may be missing. */
  tokens: readonly TokenProbability[];
  /** Natural logarithm of the probability of the whole text, at most 0: the sum over its tokens. */
  logprob: number;
  /** False: the service does not report all probabilities, and `logprob` is an upper bound. */
  exact: boolean;
}

/** A request that failed, among others that have answers. `failure` is the reason, as a sentence. */
export interface Failed {
  failure: string;
}

/** Answers in the order of the requests, and their cost. */
export interface Answers<T> {
  results: readonly (T | Failed)[];
  usage: ModelUsage;
}

export interface ModelCall {
  /** Aborts the requests. */
  signal?: AbortSignal | undefined;
}

/**
 * A language model that reports log-probabilities. Prompts are raw: no template is added. In one call, requests whose
 * prompts begin alike are cheap for services that cache prefixes.
 */
export interface LogprobModel extends PortIdentity {
  /** False if the service cannot score a given text. Then `ecs` lets the model judge each passage. Absent: it can. */
  readonly scoresGivenText?: boolean;
  /** Names the weights as exactly as the service can, because a profile is valid for one model only. */
  identify(call?: ModelCall): Promise<string>;
  /** Scores each continuation after its prompt. Rejects if {@link scoresGivenText} is false. */
  score(requests: readonly ScoreRequest[], call?: ModelCall): Promise<Answers<ScoredText>>;
  /** Returns the most probable tokens after each prompt, best first: 20, or as many as the service reports. */
  nextTokens(prompts: readonly string[], call?: ModelCall): Promise<Answers<readonly TokenProbability[]>>;
}

export interface ScoreRequest {
  prompt: string;
  continuation: string;
}

/** The parts of a prompt that a function of the caller puts together. */
export interface PromptInput {
  /** Passages, in order. The passage that changes from prompt to prompt comes last. */
  readonly context: readonly string[];
  readonly question: string;
}

/** Judges whether passages help to answer a question. */
export interface Judge extends PortIdentity {
  /** Names the model that judges. */
  identify(call?: { signal?: AbortSignal | undefined }): Promise<string>;
  judge(
    requests: readonly JudgeRequest[],
    call?: { signal?: AbortSignal | undefined },
  ): Promise<Answers<Judgement>>;
}

export interface JudgeRequest {
  question: string;
  passage: string;
  /** The judge says whether the passage supports this answer. Absent: what `about` asks. */
  answer?: string | undefined;
  /**
   * The judgement if no answer is given. `factuality`: whether the passage states the truth about the question, by the
   * judge's own knowledge. Absent: whether the passage has the facts that answer the question.
   */
  about?: 'factuality' | undefined;
}

export interface Judgement {
  /** Probability of yes, 0..1. */
  yes: number;
}

/**
 * Scores how well texts answer a query: a cross-encoder, or a service for reranking. `rerankJudge` of
 * `context-shaping/rerankers` makes it a {@link Judge}.
 */
export interface Reranker extends PortIdentity {
  /** Names the model that scores. */
  identify(call?: { signal?: AbortSignal | undefined }): Promise<string>;
  /** Scores all texts: none is left out, and their order does not count. */
  rerank(
    query: string,
    texts: readonly string[],
    call?: { signal?: AbortSignal | undefined },
  ): Promise<Reranking>;
}

export interface Reranking {
  /** One score per text, in the order of the texts. Higher is better. */
  scores: readonly (number | Failed)[];
  /** `probability`: scores are 0..1. `logit`: scores are log-odds in nats, and 0 is undecided. */
  scale: 'probability' | 'logit';
  usage: ModelUsage;
}

/**
 * Makes spans and metrics of the work of this package. `context-shaping/telemetry` has the one for OpenTelemetry.
 *
 * All methods are synchronous. An error of theirs becomes the degradation `observer-failed`; it changes nothing else.
 */
export interface Telemetry extends PortIdentity {
  /**
   * Begins a span.
   *
   * @param headers of the request that the work is for, such as `traceparent`: they name the parent. Absent: the parent is
   *   the span that is active at the time of the call.
   */
  begin(work: TracedWork, headers?: Readonly<Record<string, string>>): TelemetrySpan;
}

export interface TelemetrySpan {
  /** Calls `run` once and at once, with this span as the active one, and returns its result. May be called again. */
  within<T>(run: () => T): T;
  /** Gets the numbers of each stage of a shaping, when the stage has ended. */
  stage(trace: StageTrace): void;
  /** Ends the span. Called once. */
  end(outcome: TracedOutcome): void;
}

/** The work of a span: one call of `shape`, and every option by its name, with defaults filled in. */
export interface TracedWork {
  readonly kind: 'shape';
  readonly options: Readonly<Record<string, unknown>>;
}

/** How traced work ended. Read it, never write to it. */
export type TracedOutcome =
  /** The outcome of `shape`. `given` are the chunks of the input, and `chunks` those of the result. */
  | {
      readonly report: ShapingReport;
      readonly given: readonly Chunk[];
      readonly chunks: readonly ShapedChunk[];
    }
  /** A stage of the user was paused by an interrupt. */
  | { readonly interrupted: true }
  /** The error that was thrown; after an abort, its reason. */
  | { readonly error: unknown };

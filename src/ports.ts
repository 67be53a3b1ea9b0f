/** The outside world, as interfaces. Everything that waits, costs or fails comes through one of these. */

/**
 * What an object of a port says of itself. Everything is optional for objects of your own; those that this package makes
 * carry as much of it as they know. Reports show `provider/modelId` in `options`, and caches of vectors are kept apart
 * by it.
 */
export interface PortIdentity {
  /** The version of the port that the object is written for. Absent: `v1`. */
  readonly specificationVersion?: 'v1' | undefined;
  /** What runs the model: `ollama`, `llama.cpp`, `langchain`. */
  readonly provider?: string | undefined;
  /** The model's name at the provider. Absent where only the running service knows it: `identify` asks. */
  readonly modelId?: string | undefined;
}

/**
 * Turns texts into vectors.
 *
 * @param texts distinct texts, in a stable order; the query is one of them when it is wanted.
 * @param options `queryIndex`: which of `texts` is the query (models that embed queries and passages
 *   differently need to know), absent when there is none; `signal`: aborts the request.
 * @returns one vector per text, same order, all of one dimension, finite. Need not be normalised.
 */
export interface Embedder extends PortIdentity {
  embed(
    texts: readonly string[],
    options: { queryIndex?: number; signal?: AbortSignal },
  ): Promise<readonly ArrayLike<number>[]>;
}

/** How many tokens a text costs: a whole number, at least 0, the same for the same text. */
export type TokenCounter = (text: string) => number;

/** A token as a language model saw it, or thought possible. */
export interface TokenProbability {
  /** What it adds to the text; a part of a character that several tokens make up comes as U+FFFD or as ''. */
  text: string;
  /** Its number in the model's vocabulary, where the service tells. */
  id?: number;
  /** Natural logarithm of its probability, at most 0. */
  logprob: number;
}

/** A token of a text, and the most probable ones at its place, best first. */
export interface ScoredToken extends TokenProbability {
  top?: readonly TokenProbability[];
}

/** How probable a text is after another. */
export interface ScoredText {
  /** Those that were scored, in order; fewer than the text has where it was given up on (not `exact`). */
  tokens: readonly ScoredToken[];
  /** Natural logarithm of the probability of the whole text, at most 0: the sum over its tokens. */
  logprob: number;
  /** `false`: the service does not tell exactly, and `logprob` is an upper bound. */
  exact: boolean;
}

/** What a model goes on with, always taking the most probable token. */
export interface GeneratedText {
  text: string;
  tokens: readonly ScoredToken[];
}

/** Of one request of several: the others have answers. Why, as a sentence. */
export interface Failed {
  failure: string;
}

/** Answers in the order of the requests, and what they cost. */
export interface Answers<T> {
  results: readonly (T | Failed)[];
  usage: ModelUsage;
}

export interface ModelUsage {
  /** Requests that were sent, each attempt counted. */
  requests: number;
  /** Tokens of all prompts and continuations, those served from a cache included; absent if not known. */
  tokens?: number;
  /** How many of them were served from a cache of prefixes; absent if not known. */
  cachedTokens?: number;
}

export interface ModelCall {
  /** How many of the most probable tokens to tell at each place. A service may know fewer. Default 0. */
  topLogprobs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * A language model that tells how probable texts are. Prompts are raw: no template is added. Requests of one
 * call that share the beginning of their prompts are cheap for services that keep prefixes.
 */
export interface LogprobModel extends PortIdentity {
  /** Names the weights as exactly as the service can: what holds for one model need not for another. */
  identify(call?: { signal?: AbortSignal | undefined }): Promise<string>;
  /** How probable each continuation is after its prompt. */
  score(requests: readonly ScoreRequest[], call?: ModelCall): Promise<Answers<ScoredText>>;
  /** What the model goes on with after each prompt. */
  generate(requests: readonly GenerateRequest[], call?: ModelCall): Promise<Answers<GeneratedText>>;
}

export interface ScoreRequest {
  prompt: string;
  continuation: string;
}

export interface GenerateRequest {
  prompt: string;
  maxTokens: number;
  /** Texts that end it; they are not part of the answer. */
  stop?: readonly string[];
}

/** Says of passages whether they help. */
export interface Judge extends PortIdentity {
  /** Names the model, and with it the judge. */
  identify(call?: { signal?: AbortSignal | undefined }): Promise<string>;
  judge(
    requests: readonly JudgeRequest[],
    call?: { signal?: AbortSignal | undefined },
  ): Promise<Answers<Judgement>>;
}

export interface JudgeRequest {
  question: string;
  passage: string;
  /** Does the passage support this answer? Without: does it hold the facts that answer the question? */
  answer?: string | undefined;
}

export interface Judgement {
  /** Probability of yes, 0..1. */
  yes: number;
}

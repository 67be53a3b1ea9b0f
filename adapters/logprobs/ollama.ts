/**
 * Models of Ollama through its own API, for judging. It does not score texts, but reports the most probable tokens while it
 * generates: enough for a judge's yes or no, and for none of the methods that score an answer or a question.
 */
import * as z from 'zod';
import type { Answers, Failed, LogprobModel, ModelCall, TokenProbability } from '../../src/index.js';
import { defined, parseOptions } from '../../src/internal.js';
import {
  concurrently,
  type HttpOptions,
  httpOptions,
  JsonService,
  type Refusal,
  refusalOf,
  serviceError,
  UsageCounter,
  unknownModel,
} from '../model-calls/index.js';
import { withoutControlTokens } from './chat-template.js';
import { ROUNDING } from './logprob.js';
import { alternativesOf, LISTED, type Piece } from './tokens.js';

const optionsSchema = z.strictObject({
  ...httpOptions,
  maxConcurrency: z.int().min(1).default(2),
  model: z.string().min(1),
  baseUrl: z.string().default('http://127.0.0.1:11434'),
  runnerOptions: z.record(z.string(), z.unknown()).default({}),
  chatTemplate: z.boolean().default(false),
});

export interface OllamaModelOptions extends HttpOptions {
  /** The name that `ollama list` shows. */
  model: string;
  /** Address of the server. Default `http://127.0.0.1:11434`. */
  baseUrl?: string | undefined;
  /**
   * Settings of the loaded model by Ollama's own names, such as `num_ctx` and `keep_alive`. If they differ from those of
   * your other requests, Ollama loads the model anew at each change, which takes seconds to minutes: give the `numCtx` of a
   * `ChatOllama` as `num_ctx`. Default: Ollama's own.
   */
  runnerOptions?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Whether each prompt becomes the message of a user in the model's own chat template, with thinking off, and the text
   * that follows is the beginning of the answer. Ollama reads control tokens in every prompt: those of known templates get
   * a space if a prompt contains them (`< |im_start|>`). Default `false`.
   */
  chatTemplate?: boolean | undefined;
  /** The largest number of prompts that are sent at once. Default 2. */
  maxConcurrency?: number | undefined;
}

/** llama.cpp sends the smallest 32-bit number for a probability that is too small for its type: no information. */
const TOO_SMALL = -1e30;

const listedToken = z.object({
  token: z.string(),
  bytes: z.array(z.int().min(0).max(255)).nullish(),
  /** Rounding can lift the logarithm of the probability 1 above 0. */
  logprob: z
    .number()
    .max(ROUNDING)
    .transform((value) => Math.min(value, 0)),
});

const generated = z.object({
  response: z.string(),
  prompt_eval_count: z.int().min(0).nullish(),
  logprobs: z.array(listedToken.extend({ top_logprobs: z.array(listedToken).nullish() })).nullish(),
});

const installed = z.object({ models: z.array(z.object({ name: z.string(), digest: z.string() })) });

/** Neutral values: the model's own settings would change which token is generated, or hide its alternatives. */
const NEUTRAL = {
  num_predict: 1,
  temperature: 0,
  top_k: 0,
  top_p: 1,
  min_p: 0,
  typical_p: 1,
  repeat_penalty: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
  stop: [],
};

const REMEDY = 'Check that the address is that of an Ollama server, and check its version.';

/** One call of the port: its requests to Ollama, and their cost. */
class OllamaCall {
  readonly #service: JsonService;
  readonly #counter = new UsageCounter({ countsCached: false });

  constructor(
    service: JsonService,
    readonly options: z.output<typeof optionsSchema>,
    readonly call: ModelCall,
  ) {
    this.#service = service.counted();
  }

  /** The most probable tokens after each prompt. A prompt that is too long fails by itself. */
  async nextTokens(prompts: readonly string[]): Promise<Answers<readonly TokenProbability[]>> {
    const { signal } = this.call;
    signal?.throwIfAborted();
    const { maxConcurrency } = this.options;
    const results = await concurrently(prompts, maxConcurrency, signal, (prompt, stop) =>
      this.#next(prompt, stop).catch((error: unknown) => {
        const refusal = refusalOf(error);
        if (refusal === undefined || !isTooLong(refusal)) throw error;
        return { failure: refusal.message };
      }),
    );
    return { results, usage: this.#counter.usage(this.#service.requests) };
  }

  async identify(): Promise<string> {
    const { model, chatTemplate } = this.options;
    const answer = await this.#service.get('api/tags', this.call.signal);
    const { models } = this.#endpoint('GET', 'api/tags').read(installed, answer);
    const found = models.find(({ name }) => [model, `${model}:latest`].includes(name));
    if (found === undefined) throw notInstalled(model);
    // The digest is that of the whole model, its template included.
    return ['ollama', found.name, found.digest, ...(chatTemplate ? ['chat'] : [])].join(':');
  }

  /**
   * Generates one token after a prompt, and returns the most probable ones there. The body has no `shift`: Ollama compares
   * that field with the one of the last request, and loads the model anew where it differs. `think: false` keeps Ollama from
   * taking the generated text apart; models that cannot think accept it.
   */
  async #next(prompt: string, signal: AbortSignal): Promise<readonly TokenProbability[] | Failed> {
    // In Ollama an empty prompt means: load the model.
    if (prompt === '') return EMPTY_PROMPT;
    const { model, chatTemplate, runnerOptions } = this.options;
    const { keep_alive, ...runner } = runnerOptions;
    const body = {
      model,
      prompt: chatTemplate ? withoutControlTokens(prompt, '') : prompt,
      stream: false,
      think: false,
      ...defined({ keep_alive }),
      options: { ...defined(runner), ...NEUTRAL },
      raw: !chatTemplate,
      truncate: false,
      logprobs: true,
      top_logprobs: LISTED,
    };
    const told = await this.#post('api/generate', body, signal);
    const answer = this.#endpoint('POST', 'api/generate').read(generated, told);
    this.#counter.add({ tokens: answer.prompt_eval_count ?? undefined });
    // Ollama leaves out a part of a character. A token that a draft model proposed has no alternatives.
    const listed = (answer.logprobs?.[0]?.top_logprobs ?? []).filter(({ logprob }) => logprob > TOO_SMALL);
    if (listed.length === 0) return NOTHING_TOLD;
    return alternativesOf(listed.map(pieceOf).toSorted((a, b) => b.logprob - a.logprob));
  }

  async #post(path: string, body: object, signal: AbortSignal | undefined): Promise<unknown> {
    try {
      return await this.#service.post(path, body, signal, isTooLong);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal?.status !== 404 || !/model/.test(refusal.message)) throw error;
      throw notInstalled(this.options.model, error);
    }
  }

  #endpoint(method: string, path: string) {
    return this.#service.endpoint(method, path, REMEDY);
  }
}

const EMPTY_PROMPT: Failed = { failure: 'Ollama generates nothing after an empty prompt.' };
const OTHER_ENGINES =
  'Let it judge, as ecs does, or choose a model of llamaServer, openAICompatible or nodeLlamaCpp.';
const NOTHING_TOLD: Failed = {
  failure: 'Ollama reports no tokens that may follow the text. Before 0.12.11 it reports none: update it.',
};
const pieceOf = ({ token, bytes, logprob }: z.output<typeof listedToken>): Piece => ({
  bytes: bytes ? Uint8Array.from(bytes) : new TextEncoder().encode(token),
  logprob,
});

/** A refusal of a text that is longer than the context of the model. */
const isTooLong = ({ message }: Refusal): boolean => /context (length|size)|longer than/i.test(message);

const notInstalled = (model: string, cause?: unknown) =>
  unknownModel(model, 'Ollama', `Get it: ollama pull ${model}`, cause);

/**
 * A model of Ollama 0.12.11 or later, which judges: `ecs: { model }`. A judgement takes one request. A word, yes or no,
 * that is not among the 20 most probable tokens counts as the last of them. For the methods by answer and by question,
 * choose `llamaServer`, `openAICompatible` or `nodeLlamaCpp`.
 *
 * @throws ContextShapingError `invalid-options`, naming the wrong option. Its methods throw `service`, also if the
 *   model is not installed.
 */
export function ollamaModel(options: OllamaModelOptions): LogprobModel {
  const parsed = parseOptions(optionsSchema, options);
  const service = new JsonService(parsed);
  const begin = (call: ModelCall = {}) => new OllamaCall(service, parsed, call);
  return {
    specificationVersion: 'v1',
    provider: 'ollama',
    scoresGivenText: false,
    modelId: parsed.model,
    identify: (call) => begin(call).identify(),
    async score() {
      throw serviceError('ecs.model', 'ollama', 'does not score a given text', OTHER_ENGINES);
    },
    nextTokens: (prompts, call) => begin(call).nextTokens(prompts),
  };
}

/**
 * llama.cpp's own server. It does not report the probabilities of a prompt, only those of generated tokens; but a bias can
 * force it to generate a given token. The reported probability is the softmax over the whole vocabulary, before the bias:
 *
 *   ln P(a | prompt) = Σ ln P(t_i | prompt, t_1 … t_i−1),  t_1 t_2 … = a
 *
 * Each token takes a request. The requests of one prompt follow each other, and the server finds the memory that has computed
 * all but the last token before. They name no slot: servers of 2026 clear the slots that wait, and compute a prompt that is
 * bound to one again for each token.
 */
import * as z from 'zod';
import type {
  Failed,
  LogprobModel,
  ModelCall,
  ScoredText,
  ScoreRequest,
  TokenProbability,
} from '../../src/index.js';
import { groupBy, parseOptions } from '../../src/internal.js';
import {
  concurrently,
  type Endpoint,
  type HttpOptions,
  httpOptions,
  JsonService,
  refusalOf,
  UsageCounter,
} from '../model-calls/index.js';
import { type ChatFrame, framed, frameIn, SAMPLE_MESSAGE } from './chat-template.js';
import { isExact, logprob } from './logprob.js';
import { alternativesOf, continuationStart, EMPTY_PROMPT, LISTED, type Piece, tokensOf } from './tokens.js';

const optionsSchema = z.strictObject({
  ...httpOptions,
  baseUrl: z.string(),
  chatTemplate: z.boolean().default(false),
});

export interface LlamaServerOptions extends HttpOptions {
  /** Address of the server, with or without `/v1`. */
  baseUrl: string;
  /**
   * Puts each prompt, as the one message of a user, into the chat template of the model, with thinking off; the
   * continuation is then the beginning of the answer. For models that were trained to chat. The server itself applies the
   * template. Its control tokens, and those of known templates, get a space if a prompt contains them (`< |im_start|>`).
   * If the template ends in white space, one space at the start of a continuation is dropped. The template is read once.
   * `identify()` adds `chat`. Default `false`.
   */
  chatTemplate?: boolean | undefined;
}

const probability = z.object({
  id: z.int().min(0),
  bytes: z.array(z.int().min(0).max(255)).transform((bytes) => Uint8Array.from(bytes)),
  logprob,
});

const completion = z.object({
  /** Without tokens that end inside a character; absent if there are no others. */
  completion_probabilities: z.array(probability.extend({ top_logprobs: z.array(probability) })).default([]),
  tokens_predicted: z.int().min(0).optional(),
  /** The context was full: the answer ends early, or the server dropped the start of the text. */
  truncated: z.boolean().default(false),
  timings: z.object({ cache_n: z.int().min(0), prompt_n: z.int().min(0) }).optional(),
});

/** The fields of answers that are read here; the server has many more. */
const FIELDS = Object.keys(completion.shape);

/** Stands between the tokens of two texts. It is the number of no token. */
const BORDER = -1;

/** The number of the border comes back, too. */
const tokenized = z.object({ tokens: z.array(z.int().min(BORDER)) });

const rendered = z.object({ prompt: z.string() });

const props = z.object({
  model_path: z.string().optional(),
  model_alias: z.string().optional(),
  model_ftype: z.string().optional(),
  total_slots: z.int().min(1).optional(),
});

type Completion = z.output<typeof completion>;
type Ids = readonly number[];

/** The most probable tokens after a prompt, best first; and the wanted one, unless the server does not report it. */
interface Position {
  token: Piece | undefined;
  listed: readonly Piece[];
}

interface Tokens {
  prompt: Ids;
  /** The first token may begin in the prompt: the end of the prompt and the start of the text can form one token. */
  continuation: Ids;
}

/** Added to the logit of a token to force it: more than the difference between any two logits of a model. */
const SURE = 1000;
/** How many tokens to list where one of them must be found. */
const MANY = 1000;

const REMEDY = 'Give the address of llama.cpp’s own server (llama-server), of 2025 or later.';

/** Facts that one call finds out for the next ones. */
interface ServerState {
  slots?: number | undefined;
  frame?: ChatFrame;
}

/** One call of the port: its requests to the server, and their cost. */
class ServerCall {
  readonly #counter = new UsageCounter({ countsCached: true });
  readonly #service: JsonService;
  readonly #signal: AbortSignal | undefined;
  /** A token that is a letter. */
  #letter = 0;

  constructor(
    service: JsonService,
    readonly options: z.output<typeof optionsSchema>,
    readonly state: ServerState,
    { signal }: ModelCall,
  ) {
    this.#service = service.counted();
    this.#signal = signal;
  }

  async score(requests: readonly ScoreRequest[]) {
    return this.#answers<Tokens, ScoredText>(await this.#tokens(requests), async (tokens, signal) => {
      const { prompt, continuation } = tokens;
      const pieces: Piece[] = [];
      let logprob = 0;
      let exact = true;
      if (prompt.length === 0 && continuation.length > 0) return EMPTY_PROMPT;
      for (const [at, id] of continuation.entries()) {
        const found = await this.#next([...prompt, ...continuation.slice(0, at)], id, signal);
        if ('failure' in found) return at === 0 ? found : tooLong(prompt.length + continuation.length);
        const { token, listed } = found;
        logprob += (token ?? (listed.at(-1) as Piece)).logprob;
        exact &&= token !== undefined && isExact(token.logprob);
        // At most as probable as the last listed token; and later tokens have at most the probability 1.
        if (token === undefined) break;
        pieces.push(token);
      }
      return { tokens: tokensOf(pieces), logprob, exact };
    });
  }

  async nextTokens(prompts: readonly string[]) {
    const all = await this.#tokens(prompts.map((prompt) => ({ prompt })));
    return this.#answers<Tokens, readonly TokenProbability[]>(all, async ({ prompt }, signal) => {
      if (prompt.length === 0) return EMPTY_PROMPT;
      // A letter is forced, since the server does not report a token that ends inside a character, and lists nothing
      // beside a token of a draft model.
      const found = await this.#forced(prompt, this.#letter, LISTED, signal);
      if (found === undefined) throw this.#untold(this.#letter);
      return 'failure' in found ? found : alternativesOf(found.listed);
    });
  }

  /** The name of the model on the server, its file or else its alias, and the format of the weights if it is known. */
  async identify(): Promise<string> {
    const { model_path, model_alias, model_ftype } = await this.#read(props, 'GET', 'props');
    const name = model_path?.split(/[/\\]/).at(-1) || model_alias;
    if (!name) throw this.#endpoint('GET', 'props').malformed(name, 'reports no name of its model');
    const { chatTemplate } = this.options;
    return [
      'llama-server',
      name,
      ...(model_ftype ? [model_ftype] : []),
      ...(chatTemplate ? ['chat'] : []),
    ].join(':');
  }

  /** Answers the requests, as many at once as there are slots. Those with one prompt are answered one after the other. */
  async #answers<Request extends { prompt: Ids }, Answer>(
    requests: readonly Request[],
    answer: (request: Request, signal: AbortSignal) => Promise<Answer | Failed>,
  ) {
    const results = new Array<Answer | Failed>(requests.length);
    const chains = [...groupBy(requests.keys(), (at) => requests[at]?.prompt.join()).values()];
    if (chains.length > 0) this.state.slots ??= (await this.#read(props, 'GET', 'props')).total_slots;
    const atOnce = Math.min(this.options.maxConcurrency, this.state.slots ?? 1, chains.length);
    await concurrently(chains, atOnce, this.#signal, async (chain, signal) => {
      for (const at of chain) {
        signal.throwIfAborted();
        results[at] = await answer(requests[at] as Request, signal);
      }
    });
    return { results, usage: this.#counter.usage(this.#service.requests) };
  }

  /** The chat template, if prompts are put into it. It is read once. */
  async #frame(): Promise<ChatFrame | undefined> {
    const { options, state } = this;
    if (!options.chatTemplate || state.frame) return state.frame;
    const { prompt } = await this.#read(rendered, 'POST', 'apply-template', {
      messages: [{ role: 'user', content: SAMPLE_MESSAGE }],
      chat_template_kwargs: { enable_thinking: false },
    });
    const remedy =
      'Start the server with another chat template (--chat-template), or do without `chatTemplate`.';
    const endpoint = this.#endpoint('POST', 'apply-template');
    state.frame = frameIn(prompt, (value, is) => endpoint.malformed(value, is, { remedy }));
    return state.frame;
  }

  /** The tokens of each request, in their order. All texts take one request. */
  async #tokens(requests: readonly { prompt: string; continuation?: string }[]): Promise<Tokens[]> {
    if (requests.length === 0) return [];
    const frame = await this.#frame();
    const pairs = requests
      .map((each) => framed(frame, each))
      .map(({ prompt, continuation = '' }) => [prompt, prompt + continuation] as const);
    const texts = [...new Set(pairs.flat())];
    // The server splits each text of a list by itself, and adds the tokens that begin and end every text to the first one.
    const sent = ['a', 'a', ...texts];
    const content = sent.flatMap((text, at) => (at === 0 ? [text] : [BORDER, text]));
    const body = { content, add_special: true, parse_special: this.options.chatTemplate };
    const { tokens } = await this.#read(tokenized, 'POST', 'tokenize', body);
    const lists: number[][] = [[]];
    for (const id of tokens) {
      if (id === BORDER) lists.push([]);
      else lists.at(-1)?.push(id);
    }
    const endpoint = this.#endpoint('POST', 'tokenize');
    if (lists.length !== sent.length) {
      throw endpoint.malformed(lists.length, `does not answer each of ${sent.length} texts`);
    }
    const [first, letters, ...rest] = lists as [number[], number[], ...number[][]];
    const letter = letters.at(-1);
    if (letter === undefined) throw endpoint.malformed('a', 'has no token for a letter');
    this.#letter = letter;
    const letterAt = first.findIndex((_, start) => letters.every((id, at) => first[start + at] === id));
    const begin = first.slice(0, Math.max(0, letterAt));
    const idsOf = new Map(texts.map((text, at) => [text, rest[at] as number[]]));
    return pairs.map(([prompt, text]) => {
      const whole = idsOf.get(text) as number[];
      const start = continuationStart(whole, idsOf.get(prompt) as number[]);
      const split = start === -1 ? whole.length : start;
      // The token that begins every text stands at the start once, even if the template has it.
      const front = begin.every((id, at) => whole[at] === id) ? [] : begin;
      return { prompt: [...front, ...whole.slice(0, split)], continuation: whole.slice(split) };
    });
  }

  /**
   * The probability of a token after a prompt. The server does not report a token that ends inside a character: there a
   * letter is forced, and the token is looked up among the most probable ones.
   */
  async #next(prompt: Ids, id: number, signal: AbortSignal): Promise<Position | Failed> {
    // With 0 the server would report no probabilities at all.
    const told = await this.#forced(prompt, id, 1, signal);
    if (told !== undefined) return told;
    const instead = await this.#forced(prompt, this.#letter, MANY, signal);
    if (instead === undefined) throw this.#untold(id);
    if ('failure' in instead) return instead;
    const { listed } = instead;
    return { token: listed.find((each) => each.id === id), listed };
  }

  #untold(id: number): Error {
    const is = `does not report the probability of the token ${id}, which the request forces`;
    return this.#endpoint().malformed(undefined, is);
  }

  async #forced(
    prompt: Ids,
    id: number,
    n_probs: number,
    signal: AbortSignal,
  ): Promise<Position | Failed | undefined> {
    const answer = await this.#complete(prompt, { n_probs, logit_bias: [[id, SURE]] }, signal);
    if ('failure' in answer) return answer;
    const [entry] = answer.completion_probabilities;
    return entry?.id === id && entry.top_logprobs.length > 0 ? positionOf(entry) : undefined;
  }

  /** Continues a prompt by one token. One that is too long for a slot fails. */
  async #complete(prompt: Ids, settings: object, signal: AbortSignal): Promise<Completion | Failed> {
    const body = {
      prompt,
      ...settings,
      n_predict: 1,
      temperature: 0,
      cache_prompt: true,
      // Reuse that shifts cached text to another position is fast, but not exact.
      n_cache_reuse: 0,
      response_fields: FIELDS,
    };
    let answer: unknown;
    try {
      answer = await this.#service.post('completion', body, signal);
    } catch (error) {
      const refused = refusalOf(error)?.body as { error?: { type?: unknown; n_ctx?: unknown } } | undefined;
      const { type, n_ctx } = refused?.error ?? {};
      const isTooLong = type === 'exceed_context_size_error' && typeof n_ctx === 'number';
      if (isTooLong && prompt.length >= n_ctx) return tooLong(prompt.length, n_ctx);
      throw error;
    }
    const told = this.#endpoint().read(completion, answer);
    const { timings, tokens_predicted = 0, truncated } = told;
    this.#counter.add({
      tokens: timings && timings.cache_n + timings.prompt_n + tokens_predicted,
      cachedTokens: timings?.cache_n,
    });
    return truncated ? tooLong(prompt.length + 1) : told;
  }

  async #read<S extends z.ZodType>(schema: S, method: 'GET' | 'POST', path: string, body?: object) {
    const answer = await (body === undefined
      ? this.#service.get(path, this.#signal)
      : this.#service.post(path, body, this.#signal));
    return this.#endpoint(method, path).read(schema, answer);
  }

  #endpoint(method = 'POST', path = 'completion'): Endpoint {
    return this.#service.endpoint(method, path, REMEDY);
  }
}

/** The bytes of the generated token can begin with some that the server held back; those of a listed one do not. */
function positionOf({ top_logprobs: listed, ...token }: Completion['completion_probabilities'][0]): Position {
  const { bytes } = listed.find(({ id }) => id === token.id) ?? token;
  return { token: { ...token, bytes }, listed };
}

const tooLong = (length: number, room?: number): Failed => ({
  failure: `The text has ${length} tokens, and a slot of the server holds ${room === undefined ? 'fewer' : room - 1}: start the server with a larger context (-c) or fewer slots (-np).`,
});

/**
 * A language model behind llama.cpp’s own server, `llama-server`. Scores are exact. Each token of a scored text takes one
 * request, and each judgement one; the server computes the common start of prompts once. As many prompts are under
 * way as the server has slots, at most `maxConcurrency`.
 *
 * A further request splits all texts into tokens, and the first call asks for the number of slots. They and all retries
 * count in the usage. A token that is a part of a character takes one more request. A score is an upper bound only if such
 * a token is not among the 1000 most probable ones. A prompt that is too long for a slot fails, and the others are
 * answered.
 *
 * @throws ContextShapingError `invalid-options`, naming the first wrong option; its methods reject with `service` if
 *   the server fails or is not a llama.cpp server with one model.
 */
export function llamaServer(options: LlamaServerOptions): LogprobModel {
  const settings = parseOptions(optionsSchema, options);
  const service = new JsonService(settings);
  const state: ServerState = {};
  const begin = (call: ModelCall = {}) => new ServerCall(service, settings, state, call);
  return {
    specificationVersion: 'v1',
    // No modelId: identify() asks the server for its model.
    provider: 'llama.cpp',
    identify: (call) => begin(call).identify(),
    score: (requests, call) => begin(call).score(requests),
    nextTokens: (prompts, call) => begin(call).nextTokens(prompts),
  };
}

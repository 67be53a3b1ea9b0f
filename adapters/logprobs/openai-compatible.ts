/**
 * Models on a server with OpenAI's completions API that repeats a prompt with the log-probabilities of its tokens (`echo`):
 * vLLM, SGLang. One request scores several texts.
 */
import * as z from 'zod';
import type {
  Answers,
  Failed,
  LogprobModel,
  ModelCall,
  ScoredText,
  ScoreRequest,
  TokenProbability,
} from '../../src/index.js';
import { parseOptions } from '../../src/internal.js';
import {
  batchesOf,
  concurrently,
  type Endpoint,
  type HttpOptions,
  httpOptions,
  inBatches,
  JsonService,
  refusalOf,
  UsageCounter,
  unknownModel,
} from '../model-calls/index.js';
import { type ChatFrame, framed, frameIn, nameOfFrame, SAMPLE_MESSAGE } from './chat-template.js';
import { isExact, LEAST_LOGPROB, logprob as numericLogprob } from './logprob.js';
import { continuationStart, LISTED } from './tokens.js';

const optionsSchema = z.strictObject({
  ...httpOptions,
  baseUrl: z.string(),
  model: z.string().min(1),
  batchSize: z.int().min(1).default(8),
  chatTemplate: z.boolean().default(false),
  addSpecialTokens: z.boolean().default(true),
});

export interface OpenAICompatibleOptions extends HttpOptions {
  /** Address of the server, with or without `/v1`: `http://localhost:8000/v1`. */
  baseUrl: string;
  /** The name of the model on the server. */
  model: string;
  /**
   * The largest number of prompts in one request. vLLM needs memory to score a prompt that its planning does not
   * include: 6 bytes for each token of the prompt and each token of the vocabulary, up to `--max-num-batched-tokens`
   * tokens. For 8,192 tokens and a vocabulary of 152,000 these are 7.5 GB. Default 8.
   */
  batchSize?: number | undefined;
  /**
   * Whether each prompt becomes the message of a user in the model's own chat template, and the continuation is the
   * beginning of the answer. vLLM shows the template, with thinking off. That takes two requests for each model object,
   * and again for `identify()`, which adds a digest of it. If the template ends in white space, one space at the start of the
   * continuation is left out.
   *
   * The template's own control tokens, and those of known templates, get a space if a prompt contains them
   * (`< |im_start|>`), since these servers would read them as control tokens. Default `false`.
   */
  chatTemplate?: boolean | undefined;
  /**
   * Whether the server adds the token that begins every text. Set `false` for a `prompt` that contains a whole chat
   * template, which has that token already. With `chatTemplate` it has no effect: the template decides. Default `true`.
   */
  addSpecialTokens?: boolean | undefined;
}

/** JSON has no infinity: some servers write it as a text. */
const logprob = z.union([numericLogprob, z.literal(['-Infinity', '-inf']).transform(() => LEAST_LOGPROB)]);

/** The form of OpenAI's completions. llama.cpp and chat completions have another form. */
const listedTokens = z.object({
  tokens: z.array(z.string()),
  token_logprobs: z.array(logprob.nullable()),
  top_logprobs: z.array(z.unknown()).nullish(),
});

const alternatives = z.record(z.string(), logprob).nullable();

const choice = z.object({
  index: z.int().min(0),
  text: z.string(),
  logprobs: z.unknown().optional(),
  prompt_token_ids: z.array(z.int().min(0)).nullish(),
});
type Choice = z.output<typeof choice>;

const completion = z.object({
  choices: z.array(choice),
  usage: z
    .object({
      prompt_tokens: z.int().min(0).nullish(),
      prompt_tokens_details: z.object({ cached_tokens: z.int().min(0).nullish() }).nullish(),
    })
    .nullish(),
});

/** `root` is the name of the weights. */
const models = z.object({ data: z.array(z.object({ id: z.string(), root: z.string().nullish() })) });

const tokenized = z.object({ tokens: z.array(z.int().min(0)) });
const detokenized = z.object({ prompt: z.string() });

/** Against the model's own settings, which vLLM uses by default. */
const GREEDY = { repetition_penalty: 1, presence_penalty: 0, frequency_penalty: 0 };

/** One token of an answer. Its log-probability is null if no token comes before it. */
interface Position {
  text: string;
  id?: number;
  logprob: number | null;
}

/** The tokens of a text, and one that was generated after them. */
interface Echo {
  positions: readonly Position[];
  /** The numbers of the text's tokens, if the server reports them. */
  ids: readonly number[] | undefined;
}

/** One call of the port: its requests to the server, and their cost. */
class CompletionsCall {
  readonly #service: JsonService;
  readonly #usage = new UsageCounter({ countsCached: true });
  readonly #signal: AbortSignal | undefined;

  constructor(
    service: JsonService,
    readonly options: z.output<typeof optionsSchema>,
    readonly state: { frame?: ChatFrame },
    { signal }: ModelCall,
  ) {
    this.#service = service.counted();
    this.#signal = signal;
  }

  async score(all: readonly ScoreRequest[]): Promise<Answers<ScoredText>> {
    const requests = await this.#framed(all);
    const sent = [...requests.keys()].filter((at) => requests[at]?.continuation !== '');
    const texts = sent.map((at) => requests[at] as ScoreRequest);
    const echoes = await this.#inBatches(batchesOf(texts, this.options.batchSize), (batch, signal) =>
      this.#echo(batch, signal),
    );
    const found = texts.map((request, at) => {
      const echo = echoes[at] as Echo | Failed;
      return 'failure' in echo ? undefined : continuationByText(echo, request);
    });
    await this.#findByNumbers(texts, echoes, found);
    const results = requests.map((): ScoredText | Failed => ({ tokens: [], logprob: 0, exact: true }));
    for (const [place, at] of sent.entries()) {
      const echo = echoes[place] as Echo | Failed;
      results[at] = 'failure' in echo ? echo : this.#sumOf(found[place] ?? []);
    }
    return this.#answers(results);
  }

  async nextTokens(all: readonly string[]): Promise<Answers<readonly TokenProbability[]>> {
    const requests = await this.#framed(all.map((prompt) => ({ prompt })));
    const batches = batchesOf(
      requests.map(({ prompt }) => prompt),
      this.options.batchSize,
    );
    const results = await this.#inBatches(batches, async (batch, signal) => {
      const request = { max_tokens: 1, ...GREEDY, logprobs: LISTED };
      const choices = await this.#complete(batch, request, false, signal);
      return choices.map((each) => this.#listed(each));
    });
    return this.#answers(results);
  }

  /** The name of the model on the server, and that of its weights if the server reports it. */
  async identify(): Promise<string> {
    const { model } = this.options;
    const answer = await this.#service.get('v1/models', this.#signal);
    const { data } = this.#endpoint('GET', 'v1/models').read(models, answer);
    const found = data.find(({ id }) => id === model);
    if (found === undefined) {
      const remedy = `Give one of these names: ${data.map(({ id }) => id).join(', ')}.`;
      throw unknownModel(model, 'the server', remedy);
    }
    const frame = await this.#frame(true);
    const template = frame === undefined ? [] : [nameOfFrame(frame)];
    return ['openai', model, ...(found.root ? [found.root] : []), ...template].join(':');
  }

  #answers<Result>(results: (Result | Failed)[]): Answers<Result> {
    return { results, usage: this.#usage.usage(this.#service.requests) };
  }

  #inBatches<Question, Answer>(
    batches: readonly (readonly Question[])[],
    ask: (batch: readonly Question[], signal: AbortSignal) => Promise<readonly (Answer | Failed)[]>,
  ): Promise<(Answer | Failed)[]> {
    return inBatches(batches, { atOnce: this.options.maxConcurrency, signal: this.#signal }, ask);
  }

  async #framed<R extends { prompt: string }>(requests: readonly R[]): Promise<R[]> {
    const frame = requests.length === 0 ? undefined : await this.#frame();
    return requests.map((each) => framed(frame, each));
  }

  /** The chat template, if prompts are put into it. It is read once, and again if the server may have another model now. */
  async #frame(isAgain = false): Promise<ChatFrame | undefined> {
    const { options, state } = this;
    if (!options.chatTemplate || (state.frame && !isAgain)) return state.frame;
    const tokens = await this.#tokens({
      messages: [{ role: 'user', content: SAMPLE_MESSAGE }],
      add_generation_prompt: true,
      // The switch in the templates of thinking models.
      chat_template_kwargs: { enable_thinking: false },
    });
    const endpoint = this.#endpoint('POST', 'detokenize');
    const body = { model: options.model, tokens, skip_special_tokens: false };
    const { prompt } = endpoint.read(detokenized, await this.#service.post('detokenize', body, this.#signal));
    const remedy = 'Give the server another chat template, or leave out chatTemplate.';
    state.frame = frameIn(prompt, (value, is) => endpoint.malformed(value, is, { remedy }));
    return state.frame;
  }

  /** @throws ContextShapingError `service`, also if the server cannot score a prompt. */
  async #echo(requests: readonly ScoreRequest[], signal: AbortSignal): Promise<Echo[]> {
    const texts = requests.map(({ prompt, continuation }) => prompt + continuation);
    const choices = await this.#complete(
      texts,
      {
        echo: true,
        // With 0 alternatives the server would report no probabilities at all.
        logprobs: 1,
        // SGLang refuses 0.
        max_tokens: 1,
        return_tokens_as_token_ids: false,
        return_token_ids: true,
      },
      true,
      signal,
    );
    return choices.map((each, at) => {
      const positions = positionsOf(each, this.#endpoint());
      // A generated token always has a probability, since other tokens come before it. Some servers do not repeat the text.
      const isEchoed = positions?.[0]?.logprob === null || each.text.includes(texts[at] as string);
      if (positions === undefined || !isEchoed) {
        throw this.#endpoint().malformed(
          each.logprobs,
          'cannot score prompts, since the server ignores echo',
          {
            remedy: 'Use llamaServer for llama.cpp; Ollama and OpenAI itself have no way to score a text.',
          },
        );
      }
      const ids = each.prompt_token_ids ?? [];
      const isOfText = ids.length > 0 && [0, 1].includes(positions.length - ids.length);
      if (!isOfText) return { positions, ids: undefined };
      return {
        ids,
        positions: positions.slice(0, ids.length).map((each, at) => ({ ...each, id: ids[at] as number })),
      };
    });
  }

  /** Compares the numbers of the tokens of prompt and whole text, where the texts of the tokens do not identify them. */
  async #findByNumbers(
    requests: readonly ScoreRequest[],
    echoes: readonly (Echo | Failed)[],
    found: (readonly Position[] | undefined)[],
  ): Promise<void> {
    const missing = requests.flatMap((request, at) => {
      const echo = echoes[at] as Echo | Failed;
      return 'failure' in echo || found[at] !== undefined ? [] : [{ ...request, echo, at }];
    });
    const texts = missing.flatMap(({ prompt, continuation, echo }) =>
      echo.ids === undefined ? [prompt, prompt + continuation] : [prompt],
    );
    const distinct = [...new Set(texts)];
    const add_special_tokens = this.#addsSpecialTokens;
    const lists = await concurrently(distinct, this.options.maxConcurrency, this.#signal, (prompt, signal) =>
      this.#tokens({ add_special_tokens, prompt }, signal),
    ).catch((error: unknown) => {
      // Without this endpoint only the texts without an answer fail.
      if ((refusalOf(error)?.status ?? 500) >= 500) throw error;
      return undefined;
    });
    const idsOf = new Map(distinct.map((text, at) => [text, lists?.[at]]));
    for (const { prompt, continuation, echo, at } of missing) {
      const [before, whole] = [idsOf.get(prompt), echo.ids ?? idsOf.get(prompt + continuation)];
      if (before === undefined || whole === undefined) continue;
      const start = continuationStart(whole, before);
      const isOfText = [0, 1].includes(echo.positions.length - whole.length);
      const own = isOfText && start >= 0 ? echo.positions.slice(start, whole.length) : [];
      found[at] = own.map((each, nth) => ({ ...each, id: whole[start + nth] as number }));
    }
  }

  async #tokens(request: object, signal = this.#signal): Promise<readonly number[]> {
    const answer = await this.#service.post('tokenize', { model: this.options.model, ...request }, signal);
    return this.#endpoint('POST', 'tokenize').read(tokenized, answer).tokens;
  }

  /** A template has the tokens that begin a text. */
  get #addsSpecialTokens(): boolean {
    return this.options.addSpecialTokens && !this.options.chatTemplate;
  }

  /** @param computesAll the request makes the server compute whole prompts, without its cache. */
  async #complete(
    prompt: readonly string[],
    request: object,
    computesAll: boolean,
    signal: AbortSignal,
  ): Promise<Choice[]> {
    const { model } = this.options;
    const special = this.#addsSpecialTokens ? {} : { add_special_tokens: false };
    const body = { model, prompt, ...special, temperature: 0, ...request };
    const answer = await this.#service.post('v1/completions', body, signal).catch((error: unknown) => {
      const refusal = refusalOf(error);
      if (refusal?.status !== 404 || !/model/i.test(refusal.message)) throw error;
      throw unknownModel(model, 'the server', 'Give one of the names that GET /v1/models lists.', error);
    });
    const { choices, usage } = this.#endpoint().read(completion, answer);
    const cached = usage?.prompt_tokens_details?.cached_tokens ?? undefined;
    this.#usage.add({
      tokens: usage?.prompt_tokens ?? undefined,
      // For several prompts vLLM reports the count of the last one. A computed prompt has 0, like all others.
      cachedTokens: prompt.length === 1 || computesAll ? cached : undefined,
    });
    return this.#endpoint().inOrder(choices, prompt.length);
  }

  /** The most probable tokens after a prompt, in the answer for one more token. */
  #listed(choice: Choice): readonly TokenProbability[] | Failed {
    const endpoint = this.#endpoint();
    const told = tokensIn(choice, endpoint);
    if (told === undefined) {
      throw endpoint.malformed(choice.logprobs, 'reports no tokens with their texts');
    }
    const [first] = told.top_logprobs ?? [];
    const path = `.choices[${choice.index}].logprobs.top_logprobs[0]`;
    const listed = endpoint.read(alternatives, first ?? null, path);
    if (listed === null) return { failure: 'The service reports no tokens that may follow the text.' };
    const all = Object.entries(listed).map(([text, logprob]) => ({ text, logprob }));
    // Ties are ordered by text: a JSON object does not keep the order of the service.
    return all.sort((a, b) => b.logprob - a.logprob || (a.text < b.text ? -1 : 1));
  }

  #sumOf(positions: readonly Position[]): ScoredText | Failed {
    if (positions.length === 0) {
      return { failure: 'The tokens of the continuation cannot be told from those of the prompt.' };
    }
    const tokens = [];
    for (const { logprob, ...token } of positions) {
      if (logprob === null)
        return { failure: `The service reports no probability of the token ${JSON.stringify(token.text)}.` };
      tokens.push({ ...token, logprob });
    }
    const sum = tokens.reduce((total, { logprob }) => total + logprob, 0);
    return { tokens, logprob: sum, exact: tokens.every(({ logprob }) => isExact(logprob)) };
  }

  #endpoint(method = 'POST', path = 'v1/completions'): Endpoint {
    return this.#service.endpoint(
      method,
      path,
      "Check that the address is that of a server with OpenAI's API.",
    );
  }
}

/** The tokens in an answer; undefined, if it has no tokens with their texts. */
function tokensIn({ index, logprobs }: Choice, endpoint: Endpoint) {
  if (typeof logprobs !== 'object' || logprobs === null || !('tokens' in logprobs)) return undefined;
  const path = `.choices[${index}].logprobs`;
  const told = endpoint.read(listedTokens, logprobs, path);
  const { tokens, token_logprobs, top_logprobs } = told;
  if (token_logprobs.length !== tokens.length || (top_logprobs ?? tokens).length !== tokens.length) {
    const is = `reports logprobs for another number of tokens than its ${tokens.length}`;
    throw endpoint.malformed(token_logprobs.length, is);
  }
  if (tokens.length > 0 && tokens.every((text) => /^token_id:\d+$/.test(text))) {
    const remedy = 'Start the server without --return-tokens-as-token-ids.';
    throw endpoint.malformed('token_id:…', 'names tokens only by their numbers', { remedy });
  }
  return told;
}

function positionsOf(choice: Choice, endpoint: Endpoint): Position[] | undefined {
  const told = tokensIn(choice, endpoint);
  return told?.tokens.map((text, at) => ({ text, logprob: told.token_logprobs[at] ?? null }));
}

/**
 * The tokens of the continuation, including one that begins in the prompt; nothing, if their texts do not identify them.
 * The search starts at the end. So tokens before the prompt (the token that begins every text) and tokens of the prompt
 * that are parts of characters do not matter.
 */
function continuationByText(
  { positions, ids }: Echo,
  { prompt, continuation }: ScoreRequest,
): readonly Position[] | undefined {
  const text = prompt + continuation;
  /** Reads the text from its end, without `generated` tokens after it. */
  const read = (generated: number) => {
    const end = positions.length - generated;
    let from = text.length;
    let first = end;
    /** The index at which the first token of the continuation begins, once the whole continuation is read. */
    let begin: number | undefined;
    for (let at = end - 1; at >= 0; at--) {
      const { text: part, logprob } = positions[at] as Position;
      if (!text.endsWith(part, from)) break;
      from -= part.length;
      // A token that adds no text yet is a part of a character. It belongs to the token that completes the character.
      if (begin === undefined || (part === '' && logprob !== null && begin === from)) first = at;
      if (from <= prompt.length) begin ??= from;
    }
    return { isWhole: from === 0, own: begin === undefined ? undefined : positions.slice(first, end) };
  };
  if (ids !== undefined) return read(0).own;
  // One token was asked for; a service may have generated none.
  const [expected, other] = [read(1), read(0)];
  return other.isWhole && !expected.isWhole ? other.own : expected.own;
}

/**
 * A model behind `POST /v1/completions` of a server that scores prompts with `echo`, as vLLM and SGLang do. One request
 * scores up to `batchSize` texts of a call. A text that the server refuses, for example because it is longer than the
 * context of the model, fails by itself.
 *
 * The texts of the tokens show where the continuation begins. If they do not, because tokens are parts of characters or
 * lack their spaces, the numbers of the tokens do: the server reports those of the whole text, and each distinct prompt
 * is sent to `POST /tokenize` once. A token that begins in the prompt and ends in the continuation counts as one of the
 * continuation.
 *
 * **Costs.** A server does not use its cache of prefixes for a prompt that it scores here, because it has to compute all
 * tokens, and one more that is dropped. It uses the cache for texts that it generates. The usage has cached tokens only
 * if the server reports them (vLLM: `--enable-prompt-tokens-details`, SGLang: `--enable-cache-report`). vLLM reports those
 * of the last prompt of a request; so they are unknown if several prompts of one request were continued. Start vLLM with
 * `--max-num-batched-tokens 2048`, or lower `batchSize`, if it runs out of memory.
 *
 * @throws ContextShapingError `invalid-options`, naming the wrong option. Its methods throw `service`, also if the
 *   server silently ignores the request for scores: llama.cpp, Ollama.
 */
export function openAICompatible(options: OpenAICompatibleOptions): LogprobModel {
  const parsed = parseOptions(optionsSchema, options);
  const service = new JsonService(parsed);
  const state = {};
  const begin = (call: ModelCall = {}) => new CompletionsCall(service, parsed, state, call);
  return {
    specificationVersion: 'v1',
    provider: 'openai-compatible',
    modelId: parsed.model,
    identify: (call) => begin(call).identify(),
    score: (requests, call) => begin(call).score(requests),
    nextTokens: (prompts, call) => begin(call).nextTokens(prompts),
  };
}

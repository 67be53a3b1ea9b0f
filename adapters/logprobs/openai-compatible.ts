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
import { type ChatFrame, framed, frameIn, SAMPLE_MESSAGE } from './chat-template.js';
import { isExact, LEAST_LOGPROB, logprob as numericLogprob } from './logprob.js';
import { continuationStart, LISTED } from './tokens.js';

const optionsSchema = z.strictObject({
  ...httpOptions,
  baseUrl: z.string(),
  model: z.string().min(1),
  batchSize: z.int().min(1).default(8),
  chatTemplate: z.boolean().default(false),
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
   * beginning of the answer. vLLM shows the template, with thinking off. That takes two requests for each model object.
   * `identify()` adds `chat`. If the template ends in white space, one space at the start of the continuation is left out.
   *
   * The template's own control tokens, and those of known templates, get a space if a prompt contains them
   * (`< |im_start|>`), since these servers would read them as control tokens. Default `false`.
   */
  chatTemplate?: boolean | undefined;
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
    const asked = requests.filter(({ continuation }) => continuation !== '');
    const echoes = await this.#inBatches(batchesOf(asked, this.options.batchSize), (batch, signal) =>
      this.#echo(batch, signal),
    );
    const idsOf = await this.#idsOf(asked, echoes);
    const scored = asked.map((request, at) => {
      const echo = echoes[at] as Echo | Failed;
      return 'failure' in echo ? echo : scoredText(request, echo, idsOf);
    });
    const next = scored.values();
    return this.#answers(
      requests.map(({ continuation }) =>
        continuation === ''
          ? { tokens: [], logprob: 0, exact: true }
          : (next.next().value as ScoredText | Failed),
      ),
    );
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
    const { chatTemplate } = this.options;
    return ['openai', model, ...(found.root ? [found.root] : []), ...(chatTemplate ? ['chat'] : [])].join(
      ':',
    );
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

  /** The chat template, if prompts are put into it. It is read once. */
  async #frame(): Promise<ChatFrame | undefined> {
    const { options, state } = this;
    if (!options.chatTemplate || state.frame) return state.frame;
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
      const told = tokensIn(each, this.#endpoint());
      const positions = told?.tokens.map((text, nth) => ({
        text,
        logprob: told.token_logprobs[nth] ?? null,
      }));
      // A generated token always has a probability, since other tokens come before it. Some servers do not repeat the text.
      const isEchoed = positions?.[0]?.logprob === null || each.text.includes(texts[at] as string);
      if (positions === undefined || !isEchoed) {
        const remedy = 'Use llamaServer for llama.cpp; Ollama and OpenAI itself have no way to score a text.';
        const is = 'cannot score prompts, since the server ignores echo';
        throw this.#endpoint().malformed(each.logprobs, is, { remedy });
      }
      return { positions, ids: each.prompt_token_ids ?? undefined };
    });
  }

  /** The numbers of the tokens of each distinct prompt, and of each text whose numbers the server did not report. */
  async #idsOf(
    requests: readonly ScoreRequest[],
    echoes: readonly (Echo | Failed)[],
  ): Promise<ReadonlyMap<string, readonly number[]>> {
    const texts = requests.flatMap(({ prompt, continuation }, at) => {
      const echo = echoes[at] as Echo | Failed;
      if ('failure' in echo) return [];
      return echo.ids === undefined ? [prompt, prompt + continuation] : [prompt];
    });
    const distinct = [...new Set(texts)];
    const lists = await concurrently(distinct, this.options.maxConcurrency, this.#signal, (prompt, signal) =>
      this.#tokens({ ...this.#special, prompt }, signal),
    );
    return new Map(distinct.map((text, at) => [text, lists[at] as readonly number[]]));
  }

  async #tokens(request: object, signal = this.#signal): Promise<readonly number[]> {
    const answer = await this.#service.post('tokenize', { model: this.options.model, ...request }, signal);
    return this.#endpoint('POST', 'tokenize').read(tokenized, answer).tokens;
  }

  /** A template has the tokens that begin a text. */
  get #special(): object {
    return this.options.chatTemplate ? { add_special_tokens: false } : {};
  }

  /** @param computesAll the request makes the server compute whole prompts, without its cache. */
  async #complete(
    prompt: readonly string[],
    request: object,
    computesAll: boolean,
    signal: AbortSignal,
  ): Promise<Choice[]> {
    const { model } = this.options;
    const body = { model, prompt, ...this.#special, temperature: 0, ...request };
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
  return told;
}

/**
 * The tokens of the continuation, including one that begins in the prompt: from the first place on where the numbers of
 * the whole text differ from those of the prompt.
 */
function scoredText(
  { prompt, continuation }: ScoreRequest,
  { positions, ids }: Echo,
  idsOf: ReadonlyMap<string, readonly number[]>,
): ScoredText | Failed {
  const whole = ids ?? (idsOf.get(prompt + continuation) as readonly number[]);
  const start = continuationStart(whole, idsOf.get(prompt) as readonly number[]);
  // One token was asked for; a server may have generated none.
  if (start === -1 || ![0, 1].includes(positions.length - whole.length)) {
    return { failure: 'The tokens of the continuation cannot be told from those of the prompt.' };
  }
  const tokens = [];
  for (const [nth, { text, logprob }] of positions.slice(start, whole.length).entries()) {
    if (logprob === null)
      return { failure: `The service reports no probability of the token ${JSON.stringify(text)}.` };
    tokens.push({ text, logprob, id: whole[start + nth] as number });
  }
  const sum = tokens.reduce((total, { logprob }) => total + logprob, 0);
  return { tokens, logprob: sum, exact: tokens.every(({ logprob }) => isExact(logprob)) };
}

/**
 * A model behind `POST /v1/completions` of a server that scores prompts with `echo`, as vLLM and SGLang do. One request
 * scores up to `batchSize` texts of a call. A text that the server refuses, for example because it is longer than the
 * context of the model, fails by itself.
 *
 * The numbers of the tokens show where the continuation begins: each distinct prompt is sent to `POST /tokenize` once, and
 * so is the whole text if the server does not report its numbers. A token that begins in the prompt and ends in the
 * continuation counts as one of the continuation.
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

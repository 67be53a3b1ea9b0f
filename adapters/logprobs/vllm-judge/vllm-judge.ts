/** A judge on vLLM's `POST /generative_scoring`: two requests for many passages. */
import * as z from 'zod';
import type { Failed, Judge, Judgement } from '../../../src/index.js';
import { judgePrompt, parseOptions } from '../../../src/internal.js';
import {
  batchesOf,
  type Endpoint,
  type HttpOptions,
  httpOptions,
  inBatches,
  JsonService,
  refusalOf,
  unknownModel,
} from '../../json-service/index.js';
import { continuationStart, UsageCounter } from '../../model-calls/index.js';
import { identityAt, type Prompt } from '../openai-compatible/server.js';
import { ServerTokenizer, type TokenizerCall } from '../server-tokenizer.js';

const optionsSchema = z.strictObject({
  ...httpOptions,
  baseUrl: z.string(),
  model: z.string().min(1),
  batchSize: z.int().min(1).default(64),
  chatTemplate: z.boolean().default(false),
});

export interface VllmJudgeOptions extends HttpOptions {
  /** Address of the server, with or without `/v1`: `http://localhost:8000/v1`. */
  baseUrl: string;
  /** The name of the model on the server. */
  model: string;
  /** The largest number of passages in one request. Default 64. */
  batchSize?: number | undefined;
  /**
   * Whether each question becomes the message of a user in the model's own chat template, as for `openAICompatible`. Then
   * each passage takes one request more, to `POST /tokenize`. Default `false`.
   */
  chatTemplate?: boolean | undefined;
}

const SCORING = 'generative_scoring';

/** Rounding lifts the probability 1 by at most this much. */
const ROUNDING = 1e-6;

const scores = z.object({
  data: z.array(
    z.object({
      index: z.int().min(0),
      score: z
        .number()
        .min(0)
        .max(1 + ROUNDING),
    }),
  ),
  usage: z.object({ prompt_tokens: z.int().min(0).nullish() }).nullish(),
});

/** The spellings of both answers, as they follow the prompt. */
const SPELLINGS = { yes: [' yes', ' Yes'], no: [' no', ' No'] } as const;
const ALL = [...SPELLINGS.yes, ...SPELLINGS.no];

/** Properties of the model that the first question finds out. */
interface Labels {
  /** The numbers of the tokens with which the spellings of "yes" and of "no" begin. */
  yes: readonly number[];
  no: readonly number[];
  /** The largest number of tokens of a prompt. */
  mostTokens: number;
}

/**
 * A yes-or-no judge on a model that vLLM serves. Two requests to `POST /generative_scoring` judge up to `batchSize`
 * passages: one for “yes”, and one for “Yes”, which finds the prompts in the cache of prefixes. The model generates no
 * text. A judgement is P(yes) / (P(yes) + P(no)), over both spellings, by the first token of each; a token that begins
 * both words is left out. Five requests to `POST /tokenize` come before the first ones, to find these tokens.
 *
 * The server cuts off the end of a prompt that is too long, without a word. So such a passage is not sent, and fails by
 * itself. The usage has no cached tokens, since the server does not report them.
 *
 * @throws ContextShapingError `invalid-options`, naming the wrong option. Its methods throw `service`, also if the
 *   server has no such endpoint: then use `openAICompatible` as `ecs.model`, with the method `judge`.
 */
export function vllmJudge(options: VllmJudgeOptions): Judge {
  const settings = parseOptions(optionsSchema, options);
  const { model, batchSize, chatTemplate, maxConcurrency, ...http } = settings;
  const root = new JsonService(http);
  const tokenizer = new ServerTokenizer({ model, takesLists: false });
  let labels: Labels | undefined;

  const callOf = (signal: AbortSignal | undefined): TokenizerCall => ({
    service: root.counted(),
    signal,
    atOnce: maxConcurrency,
  });

  async function labelsAfter(prompt: string, call: TokenizerCall): Promise<Labels> {
    const first = chatTemplate
      ? await firstOfAnswers(tokenizer, prompt, call)
      : await firstTokens(tokenizer, prompt, call);
    const [yes, no] = [SPELLINGS.yes, SPELLINGS.no].map((spellings) => numbersOf(first, spellings));
    const both = new Set(yes?.filter((id) => no?.includes(id)));
    const labels = {
      yes: yes?.filter((id) => !both.has(id)) ?? [],
      no: no?.filter((id) => !both.has(id)) ?? [],
    };
    if (labels.yes.length === 0 || labels.no.length === 0) {
      const remedy = 'Use openAICompatible as ecs.model, with the method judge.';
      const is = 'has no tokens of their own for “yes” and “no”';
      throw endpointOf(call.service, 'tokenize').malformed([...first.values()].join(', '), is, { remedy });
    }
    return { ...labels, mostTokens: (tokenizer.contextLength ?? Number.POSITIVE_INFINITY) - 1 };
  }

  return {
    specificationVersion: 'v1',
    provider: 'vllm',
    modelId: model,
    async identify({ signal } = {}) {
      const call = callOf(signal);
      const name = await identityAt(call.service, model, signal);
      const template = chatTemplate ? [`chat-${(await tokenizer.frame(call, true)).digest}`] : [];
      return ['vllm', name, ...template].join(':');
    },

    async judge(requests, { signal } = {}) {
      const call = callOf(signal);
      const usage = new UsageCounter({ countsCached: false });
      const texts = requests.map(judgePrompt);
      const [first] = texts;
      if (first === undefined) return { results: [], usage: usage.usage(0) };
      const known = labels ?? (await labelsAfter(first, call));
      labels = known;
      const prompts = await promptsThatFit(texts, known.mostTokens, call);
      const fitting = prompts.filter((prompt): prompt is Prompt => !isFailed(prompt));
      const results = await inBatches(
        batchesOf(fitting, batchSize),
        { atOnce: maxConcurrency, learns: false, signal },
        (batch, stop) => judged(batch, known, { ...call, signal: stop }, usage),
      );
      const answers = results.values();
      return {
        results: prompts.map((prompt) =>
          isFailed(prompt) ? prompt : (answers.next().value as Judgement | Failed),
        ),
        usage: usage.usage(call.service.requests),
      };
    },
  };

  /** The prompts as they are sent; a failure in place of one that is longer than the context of the model. */
  async function promptsThatFit(
    texts: readonly string[],
    mostTokens: number,
    call: TokenizerCall,
  ): Promise<(Prompt | Failed)[]> {
    // A token has at least one byte. So only long texts have to be counted.
    const isLong = (text: string) => new TextEncoder().encode(text).length + 1 > mostTokens;
    const tokens = chatTemplate
      ? await tokenizer.chats(texts, call)
      : await tokenizer.texts(texts.filter(isLong), true, call);
    return texts.map((text) => {
      const ids = tokens.get(text);
      if (ids !== undefined && ids.length > mostTokens) {
        return { failure: `The prompt has ${ids.length} tokens; the context holds ${mostTokens}.` };
      }
      return chatTemplate && ids !== undefined ? ids : text;
    });
  }

  /** The scores of all spellings of yes add up to its probability. */
  async function judged(
    prompts: readonly Prompt[],
    { yes, no }: Labels,
    call: TokenizerCall,
    usage: UsageCounter,
  ): Promise<Judgement[]> {
    const sums = prompts.map(() => 0);
    // One after the other, so that the second request finds the prompts in the cache.
    for (const first of yes) {
      const labels = [first, ...yes.filter((id) => id !== first), ...no];
      const scores = await scored(prompts, labels, call, usage);
      for (const [place, score] of scores.entries()) sums[place] = (sums[place] as number) + score;
    }
    return sums.map((sum) => ({ yes: Math.min(1, sum) }));
  }

  /** The probability of the first label among all of them, after each prompt. */
  async function scored(
    prompts: readonly Prompt[],
    label_token_ids: readonly number[],
    { service, signal }: TokenizerCall,
    usage: UsageCounter,
  ): Promise<number[]> {
    const endpoint = endpointOf(service, SCORING);
    // An empty query: each item is a whole prompt, after the token that begins every text.
    const body = {
      model,
      query: '',
      items: prompts,
      label_token_ids,
      apply_softmax: true,
      add_special_tokens: !chatTemplate,
    };
    const answer = endpoint.read(
      scores,
      await service.post(SCORING, body, signal).catch((error: unknown) => {
        throw clearer(error, endpoint);
      }),
    );
    usage.add({ tokens: answer.usage?.prompt_tokens ?? undefined });
    return endpoint.inOrder(answer.data, prompts.length).map(({ score }) => score);
  }

  /** An error that names the missing endpoint or model. */
  function clearer(error: unknown, endpoint: Endpoint): unknown {
    const refusal = refusalOf(error);
    if (refusal?.status !== 404) return error;
    if (/model/i.test(refusal.message)) {
      return unknownModel(model, 'the server', 'Give one of the names that GET /v1/models lists.', error);
    }
    const remedy = 'Use a newer vLLM, or openAICompatible as ecs.model, with the method judge.';
    return endpoint.malformed(404, 'does not exist on the server', { remedy, cause: error });
  }
}

/** The numbers of the tokens with which the spellings begin, after a prompt. */
async function firstTokens(
  tokenizer: ServerTokenizer,
  prompt: string,
  call: TokenizerCall,
): Promise<Map<string, number | undefined>> {
  const tokens = await tokenizer.texts([prompt, ...ALL.map((answer) => prompt + answer)], true, call);
  const before = tokens.get(prompt) as readonly number[];
  return new Map(
    ALL.map((answer) => {
      const whole = tokens.get(prompt + answer) as readonly number[];
      const start = continuationStart(whole, before);
      // If the prompt's last token changes, no token stands for the answer alone.
      return [answer, start === before.length ? whole[start] : undefined];
    }),
  );
}

/** The same in the chat template. */
async function firstOfAnswers(
  tokenizer: ServerTokenizer,
  prompt: string,
  call: TokenizerCall,
): Promise<Map<string, number | undefined>> {
  const requests = ALL.map((continuation) => ({ prompt, continuation }));
  const dialogues = await tokenizer.dialogues(requests, call);
  return new Map(ALL.map((answer, at) => [answer, dialogues[at]?.ids[dialogues[at]?.start ?? 0]]));
}

/** The distinct numbers of some spellings. */
const numbersOf = (first: ReadonlyMap<string, number | undefined>, spellings: readonly string[]) => [
  ...new Set(spellings.map((each) => first.get(each)).filter((id) => id !== undefined)),
];

const isFailed = (prompt: Prompt | Failed): prompt is Failed =>
  typeof prompt === 'object' && 'failure' in prompt;

const endpointOf = (service: JsonService, path: string): Endpoint =>
  service.endpoint('POST', path, 'Check that the address is that of vLLM.');

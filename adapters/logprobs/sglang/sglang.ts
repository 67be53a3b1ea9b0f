/** Models on a server of SGLang, by its own API, which keeps the cache of prefixes while it scores. */
import * as z from 'zod';
import type {
  Failed,
  GeneratedText,
  GenerateRequest,
  LogprobModel,
  ModelCall,
  ScoredText,
  ScoredToken,
  ScoreRequest,
} from '../../../src/index.js';
import { parseOptions } from '../../../src/internal.js';
import {
  batchesOf,
  type HttpOptions,
  httpOptions,
  JsonService,
  refusalOf,
} from '../../json-service/index.js';
import { continuationStart } from '../../model-calls/index.js';
import { isExact } from '../logprob.js';
import { ServerTokenizer } from '../server-tokenizer.js';
import { askInBatches, beginCall, resultsOf, type ServiceCall } from '../service-call.js';
import { type Answer, readAnswers, readGenerated, readModel, readScored } from './answers.js';

const optionsSchema = z.strictObject({
  ...httpOptions,
  baseUrl: z.string(),
  batchSize: z.int().min(1).default(32),
  chatTemplate: z.boolean().default(false),
  addSpecialTokens: z.boolean().default(true),
});

export interface SglangOptions extends HttpOptions {
  /** Address of the server, with or without `/v1`: `http://localhost:30000`. */
  baseUrl: string;
  /** The largest number of prompts in one request. Default 32. */
  batchSize?: number | undefined;
  /**
   * Whether each prompt becomes the message of a user in the model's own chat template, and the continuation is the
   * beginning of the answer. The server applies the template, with thinking off, in one request to `POST /tokenize` for
   * each distinct prompt; old versions of SGLang cannot. If the template ends in white space, one space at the start of
   * the continuation is left out.
   *
   * The template's own control tokens, and those of known templates, get a space if a prompt contains them
   * (`< |im_start|>`), since the server would read them as control tokens. Default `false`.
   */
  chatTemplate?: boolean | undefined;
  /**
   * Whether the server adds the token that begins every text. Set `false` for a `prompt` that contains a whole chat
   * template, which has that token already. With `chatTemplate` it has no effect: the template decides. Default `true`.
   */
  addSpecialTokens?: boolean | undefined;
}

const GENERATE = 'generate';

/** Overrides the settings of the model. */
const GREEDY = { temperature: 0, presence_penalty: 0, frequency_penalty: 0, repetition_penalty: 1 };

/** A text with its tokens, and the number of the first one that is scored. */
interface Tokenized {
  ids: readonly number[];
  start: number;
}

/**
 * A model behind SGLang's own `POST /generate`. Scores are exact. One request tokenizes all texts of a call, and one
 * request scores up to `batchSize` of them. A text that the server refuses, for example because it is longer than the
 * context of the model, fails by itself.
 *
 * The server is asked for the log-probabilities of the continuation alone. So it takes the beginning of a prompt from its
 * cache of prefixes, as far as an earlier prompt has the same one; `openAICompatible` has to turn that off. A token that
 * begins in the prompt and ends in the continuation counts as one of the continuation.
 *
 * @throws ContextShapingError `invalid-options`, naming the wrong option. Its methods throw `service`.
 */
export function sglang(options: SglangOptions): LogprobModel {
  const { batchSize, chatTemplate, addSpecialTokens, maxConcurrency, ...http } = parseOptions(
    optionsSchema,
    options,
  );
  const root = new JsonService(http);
  const tokenizer = new ServerTokenizer({ takesLists: true });

  const begin = (call: ModelCall) => beginCall(root, maxConcurrency, call);

  async function tokenizedAll(requests: readonly ScoreRequest[], call: ServiceCall): Promise<Tokenized[]> {
    if (chatTemplate) return tokenizer.dialogues(requests, call);
    const texts = requests.flatMap(({ prompt, continuation }) => [prompt, prompt + continuation]);
    const tokens = await tokenizer.texts(texts, addSpecialTokens, call);
    return requests.map(({ prompt, continuation }) => {
      const ids = tokens.get(prompt + continuation) as readonly number[];
      return { ids, start: continuationStart(ids, tokens.get(prompt) as readonly number[]) };
    });
  }

  async function promptsOf(texts: readonly string[], call: ServiceCall) {
    if (chatTemplate) return tokenizer.chats(texts, call);
    return tokenizer.texts(texts, addSpecialTokens, call);
  }

  return {
    specificationVersion: 'v1',
    // No modelId: identify() asks the server for its model.
    provider: 'sglang',
    async identify({ signal } = {}) {
      const call = begin({ signal });
      const { model_path, weight_version } = await modelOf(call);
      const template = chatTemplate ? [`chat-${(await tokenizer.frame(call, true)).digest}`] : [];
      return ['sglang', model_path, ...(weight_version ? [weight_version] : []), ...template].join(':');
    },

    async score(requests, options = {}) {
      const call = begin(options);
      const isSent = ({ continuation }: ScoreRequest) => continuation !== '';
      const asked = requests.filter(isSent);
      const texts = asked.length === 0 ? [] : await tokenizedAll(asked, call);
      const batches = batchesOf(texts.filter(isTold), batchSize);
      const told = await askInBatches<Tokenized, ScoredText>(batches, call, async (batch, each) => {
        const answers = await ask(requestToScore(batch, each.topLogprobs), batch, each);
        return batch.map((text, at) => scoreOf(text, answers[at] as Answer, each));
      });
      const { results: scored } = resultsOf(texts, isTold, told, () => UNTOLD, call);
      return resultsOf(requests, isSent, scored, () => ({ tokens: [], logprob: 0, exact: true }), call);
    },

    async generate(requests, options = {}) {
      const call = begin(options);
      const isSent = ({ maxTokens }: GenerateRequest) => maxTokens > 0;
      const wanted = requests.filter(isSent);
      const tokens = await promptsOf(
        wanted.map(({ prompt }) => prompt),
        call,
      );
      const batches = batchesOf(wanted, batchSize);
      const generated = await askInBatches<GenerateRequest, GeneratedText>(
        batches,
        call,
        async (batch, each) => {
          const texts = batch.map(({ prompt }) => ({
            ids: tokens.get(prompt) as readonly number[],
            start: 0,
          }));
          const sampling_params = batch.map(({ maxTokens, stop = [] }) => ({
            ...GREEDY,
            max_new_tokens: maxTokens,
            stop: stop.filter((text) => text !== ''),
          }));
          const body = { sampling_params, ...tellingProbabilities(each.topLogprobs) };
          const endpoint = endpointOf(each.service);
          const answers = await ask(body, texts, each);
          return answers.map((answer) => readGenerated(answer, each.topLogprobs, endpoint));
        },
      );
      return resultsOf(requests, isSent, generated, () => ({ text: '', tokens: [] }), call);
    },
  };
}

const UNTOLD: Failed = { failure: 'The tokens of the continuation cannot be told from those of the prompt.' };

/** Whether a token of the text belongs to the continuation. */
const isTold = ({ ids, start }: Tokenized): boolean => start >= 0 && start < ids.length;

const tellingProbabilities = (top_logprobs_num: number) => ({
  return_logprob: true,
  return_text_in_logprobs: true,
  top_logprobs_num,
});

/** The server reports no probability of the first token that it lists, so the list begins one token earlier. */
const requestToScore = (texts: readonly Tokenized[], topLogprobs: number) => ({
  sampling_params: { ...GREEDY, max_new_tokens: 0 },
  logprob_start_len: texts.map(({ start }) => Math.max(0, start - 1)),
  ...tellingProbabilities(topLogprobs),
});

async function ask(request: object, texts: readonly Tokenized[], call: ServiceCall): Promise<Answer[]> {
  const body = { input_ids: texts.map(({ ids }) => ids), ...request };
  const answer = await call.service.post(GENERATE, body, call.signal);
  const answers = readAnswers(answer, texts.length, endpointOf(call.service));
  for (const { meta_info } of answers) {
    const { prompt_tokens, cached_tokens } = meta_info;
    call.usage.add({ tokens: prompt_tokens ?? undefined, cachedTokens: cached_tokens ?? undefined });
  }
  return answers;
}

function scoreOf({ ids, start }: Tokenized, answer: Answer, call: ServiceCall): ScoredText | Failed {
  const listed = readScored(answer, ids.slice(start), call.topLogprobs, endpointOf(call.service));
  const untold = listed.find(({ logprob }) => logprob === null);
  if (untold !== undefined) {
    return { failure: `The service reports no probability of the token ${JSON.stringify(untold.text)}.` };
  }
  const tokens = listed as ScoredToken[];
  return {
    tokens,
    logprob: tokens.reduce((sum, { logprob }) => sum + logprob, 0),
    exact: tokens.every(({ logprob }) => isExact(logprob)),
  };
}

/** New versions of SGLang have `/model_info`, old ones `/get_model_info`. */
async function modelOf({ service, signal }: ServiceCall) {
  const read = async (path: string) =>
    readModel(await service.get(path, signal), endpointOf(service, 'GET', path));
  try {
    return await read('model_info');
  } catch (error) {
    if (refusalOf(error)?.status !== 404) throw error;
    return read('get_model_info');
  }
}

const endpointOf = (service: JsonService, method = 'POST', path = GENERATE) =>
  service.endpoint(method, path, "Check that the address is that of SGLang's server.");

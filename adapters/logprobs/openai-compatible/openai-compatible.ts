/**
 * Models on a server with OpenAI's completions API that can score a prompt: vLLM, SGLang. One request scores all
 * texts.
 */
import * as z from 'zod';
import type { Failed, GeneratedText, LogprobModel, ModelCall, ScoreRequest } from '../../../src/index.js';
import { parseOptions } from '../../../src/internal.js';
import { type HttpOptions, httpOptions, JsonService } from '../../json-service/index.js';
import { batchesOf } from '../../model-calls/index.js';
import { askInBatches, beginCall, resultsOf, type ServiceCall } from '../service-call.js';
import { readGenerated } from './answers.js';
import { askedOf, scoreAll } from './score.js';
import { CompletionsServer, endpointOf, identityAt, type Prompt } from './server.js';

const optionsSchema = z.strictObject({
  ...httpOptions,
  baseUrl: z.string(),
  model: z.string().min(1),
  maxTopLogprobs: z.int().min(1).default(20),
  batchSize: z.int().min(1).default(8),
  chatTemplate: z.boolean().default(false),
  addSpecialTokens: z.boolean().default(true),
});

export interface OpenAICompatibleOptions extends HttpOptions {
  /** Address of the server, with or without `/v1`: `http://localhost:8000/v1`. */
  baseUrl: string;
  /** The name of the model on the server. */
  model: string;
  /** The largest number of alternatives to request at each token position. Default 20, the limit of vLLM. */
  maxTopLogprobs?: number | undefined;
  /**
   * The largest number of prompts in one request. vLLM needs memory to score a prompt that its planning does not
   * include: 6 bytes for each token of the prompt and each token of the vocabulary, up to `--max-num-batched-tokens`
   * tokens. For 8,192 tokens and a vocabulary of 152,000 these are 7.5 GB. Default 8.
   */
  batchSize?: number | undefined;
  /**
   * Whether each prompt becomes the message of a user in the model's own chat template, and the continuation is the
   * beginning of the answer. The server applies the template, with thinking off, in one request to `POST /tokenize` for
   * each distinct prompt. If the template ends in white space, one space at the start of the continuation is left out.
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

/** A text to generate. */
interface Wanted {
  /** The index of the request in the call. */
  index: number;
  prompt: string;
  request: { max_tokens: number; stop: readonly string[] };
}

/**
 * A model behind `POST /v1/completions` of a server that scores prompts: with `echo`, as vLLM and SGLang do, or with
 * vLLM's `prompt_logprobs`. One request scores up to `batchSize` texts of a call. A text that the server refuses, for
 * example because it is longer than the context of the model, fails by itself.
 *
 * The texts of the tokens show where the continuation begins. If they do not, because tokens are parts of characters or
 * lack their spaces, the numbers of the tokens do: the server reports those of the whole text, and each distinct prompt
 * is sent to `POST /tokenize` once. A token that begins in the prompt and ends in the continuation counts as one of the
 * continuation.
 *
 * **Costs.** A server does not use its cache of prefixes for a prompt that it scores here, because it has to compute all
 * tokens. It uses the cache for texts that it generates. The usage has cached tokens only if the server reports them
 * (vLLM: `--enable-prompt-tokens-details`, SGLang: `--enable-cache-report`). vLLM reports those of the last prompt of a
 * request; so they are unknown if several prompts of one request were continued. Start vLLM with
 * `--max-num-batched-tokens 2048`, or lower `batchSize`, if it runs out of memory.
 *
 * @throws ContextShapingError `invalid-options`, naming the wrong option. Its methods throw `service`, also if the
 *   server silently ignores the request for scores: llama.cpp, Ollama.
 */
export function openAICompatible(options: OpenAICompatibleOptions): LogprobModel {
  const settings = parseOptions(optionsSchema, options);
  const { model, maxTopLogprobs, batchSize, chatTemplate, addSpecialTokens, maxConcurrency, ...http } =
    settings;
  const root = new JsonService(http);
  const server = new CompletionsServer(model, maxTopLogprobs, addSpecialTokens);

  const begin = (call: ModelCall) => beginCall(root, maxConcurrency, call);

  /** The prompts as they are sent. */
  async function promptsOf(texts: readonly string[], call: ServiceCall): Promise<readonly Prompt[]> {
    if (!chatTemplate) return texts;
    const tokens = await server.tokenizer.chats(texts, call);
    return texts.map((text) => tokens.get(text) as readonly number[]);
  }

  return {
    specificationVersion: 'v1',
    provider: 'openai-compatible',
    modelId: model,
    async identify({ signal } = {}) {
      const call = begin({ signal });
      const name = await identityAt(call.service, model, signal);
      const template = chatTemplate ? [(await server.tokenizer.frame(call, true)).digest] : [];
      return ['openai', name, ...template].join(':');
    },

    async score(requests, options = {}) {
      const call = begin(options);
      const isSent = ({ continuation }: ScoreRequest) => continuation !== '';
      const sent = await askedOf(server, requests.filter(isSent), chatTemplate, call);
      const echoes = await askInBatches(
        batchesOf(sent, batchSize),
        call,
        (batch, each) =>
          server.echo(
            batch.map(({ whole }) => whole),
            each,
          ),
        !server.isKnown,
      );
      const scored = await scoreAll(server, sent, echoes, call);
      return resultsOf(requests, isSent, scored, () => ({ tokens: [], logprob: 0, exact: true }), call);
    },

    async generate(requests, options = {}) {
      const groups = new Map<string, Wanted[]>();
      for (const [index, { prompt, maxTokens, stop = [] }] of requests.entries()) {
        if (maxTokens < 1) continue;
        const request = { max_tokens: maxTokens, stop: stop.filter((text) => text !== '') };
        const key = JSON.stringify(request);
        groups.set(key, [...(groups.get(key) ?? []), { index, prompt, request }]);
      }
      const call = begin(options);
      const wanted = [...groups.values()].flat();
      const prompts = await promptsOf(
        wanted.map(({ prompt }) => prompt),
        call,
      );
      const promptOf = new Map(wanted.map(({ prompt }, place) => [prompt, prompts[place] as Prompt]));
      const batches = [...groups.values()].flatMap((group) => batchesOf(group, batchSize));
      const results = await askInBatches<Wanted, GeneratedText>(batches, call, async (batch, each) => {
        const [{ request }] = batch as readonly [Wanted, ...Wanted[]];
        const sent = batch.map(({ prompt }) => promptOf.get(prompt) as Prompt);
        const choices = await server.generate(sent, request, each);
        const endpoint = endpointOf(each.service);
        return choices.map((choice) => readGenerated(choice, each.topLogprobs, endpoint));
      });
      const all = requests.map((): GeneratedText | Failed => ({ text: '', tokens: [] }));
      for (const [at, { index }] of batches.flat().entries()) all[index] = results[at] as (typeof all)[0];
      return { results: all, usage: call.usage.usage(call.service.requests) };
    },
  };
}

/**
 * Models on a server with OpenAI's completions API that can score a prompt: vLLM, SGLang. One request scores all
 * texts.
 */
import * as z from 'zod';
import type {
  Answers,
  Failed,
  GeneratedText,
  LogprobModel,
  ModelCall,
  ScoredText,
} from '../../../src/index.js';
import { parseOptions } from '../../../src/internal.js';
import { type HttpOptions, httpOptions, JsonService } from '../../json-service/index.js';
import { UsageCounter } from '../../model-calls/index.js';
import { readGenerated } from './answers.js';
import { batchesOf, inBatches } from './batches.js';
import { scoreAll } from './score.js';
import { type CallContext, CompletionsServer, endpointOf, modelNotKnown } from './server.js';

const optionsSchema = z.strictObject({
  ...httpOptions,
  baseUrl: z.string(),
  model: z.string().min(1),
  maxTopLogprobs: z.int().min(1).default(20),
  batchSize: z.int().min(1).default(64),
});

export interface OpenAICompatibleOptions extends HttpOptions {
  /** Address of the server, with or without `/v1`: `http://localhost:8000/v1`. */
  baseUrl: string;
  /** The name of the model on the server. */
  model: string;
  /** The largest number of alternatives to request at each token position. Default 20, the limit of vLLM. */
  maxTopLogprobs?: number | undefined;
  /** The largest number of prompts in one request. Default 64. */
  batchSize?: number | undefined;
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
 * The texts of the tokens show where the continuation begins; where tokens are parts of characters, their numbers from
 * `POST /tokenize` do. A token that begins in the prompt and ends in the continuation counts as one of the
 * continuation.
 *
 * The count of cached tokens is that of the server: vLLM counts only the last prompt of a request.
 *
 * @throws ContextShapingError `invalid-options`, naming the wrong option. Its methods throw `service`, also if the
 *   server silently ignores the request for scores: llama.cpp, Ollama.
 */
export function openAICompatible(options: OpenAICompatibleOptions): LogprobModel {
  const { model, maxTopLogprobs, batchSize, maxConcurrency, ...http } = parseOptions(optionsSchema, options);
  const root = new JsonService(http);
  const server = new CompletionsServer(model, maxTopLogprobs);

  /** Answers all questions in batches, and counts the cost of all. */
  async function answered<Question, Answer>(
    batches: readonly (readonly Question[])[],
    learns: boolean,
    { topLogprobs = 0, signal }: ModelCall,
    ask: (batch: readonly Question[], call: CallContext) => Promise<readonly (Answer | Failed)[]>,
  ): Promise<Answers<Answer>> {
    const service = root.counted();
    const counter = new UsageCounter({ countsCached: true });
    const results = await inBatches(batches, { atOnce: maxConcurrency, learns, signal }, (batch, stop) =>
      ask(batch, { service, usage: counter, signal: stop, topLogprobs }),
    );
    return { results, usage: counter.usage(service.requests) };
  }

  return {
    specificationVersion: 'v1',
    provider: 'openai-compatible',
    modelId: model,
    async identify({ signal } = {}) {
      const known = await server.models(root.counted(), signal);
      const found = known.find(({ id }) => id === model);
      if (found !== undefined) return ['openai', model, ...(found.root ? [found.root] : [])].join(':');
      const names = known.map(({ id }) => id).join(', ');
      throw modelNotKnown(model, `Give one of these names: ${names}.`);
    },

    async score(requests, call = {}) {
      const asked = requests.filter(({ continuation }) => continuation !== '');
      const batches = batchesOf(asked, batchSize);
      const answers = await answered(batches, !server.isKnown, call, (batch, context) =>
        scoreAll(server, batch, context),
      );
      const scored = answers.results.values();
      const results = requests.map(({ continuation }): ScoredText | Failed =>
        continuation === ''
          ? { tokens: [], logprob: 0, exact: true }
          : (scored.next().value as ScoredText | Failed),
      );
      return { results, usage: answers.usage };
    },

    async generate(requests, call = {}) {
      const groups = new Map<string, Wanted[]>();
      for (const [index, { prompt, maxTokens, stop = [] }] of requests.entries()) {
        if (maxTokens < 1) continue;
        const request = { max_tokens: maxTokens, stop: stop.filter((text) => text !== '') };
        const key = JSON.stringify(request);
        groups.set(key, [...(groups.get(key) ?? []), { index, prompt, request }]);
      }
      const batches = [...groups.values()].flatMap((group) => batchesOf(group, batchSize));
      const { results, usage } = await answered(batches, false, call, async (batch, context) => {
        const [{ request }] = batch as readonly [Wanted, ...Wanted[]];
        const prompts = batch.map(({ prompt }) => prompt);
        const choices = await server.generate(prompts, request, context);
        const endpoint = endpointOf(context.service);
        return choices.map((choice) => readGenerated(choice, context.topLogprobs, endpoint));
      });
      const all = requests.map((): GeneratedText | Failed => ({ text: '', tokens: [] }));
      for (const [at, { index }] of batches.flat().entries()) all[index] = results[at] as (typeof all)[0];
      return { results: all, usage };
    },
  };
}

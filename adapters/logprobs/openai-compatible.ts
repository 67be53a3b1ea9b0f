/**
 * Models behind a server with the completions of OpenAI that can score a prompt: vLLM, SGLang. One request
 * scores all texts.
 */
import * as z from 'zod';
import type { Answers, Failed, GeneratedText, LogprobModel, ModelCall, ScoredText } from '../../src/index.js';
import { parseOptions } from '../../src/internal.js';
import { type HttpOptions, httpOptions, JsonService } from './json-service.js';
import { readGenerated } from './openai-compatible/answers.js';
import { batchesOf, inBatches, Spending } from './openai-compatible/batches.js';
import { scoreAll } from './openai-compatible/score.js';
import { CompletionsServer, type Errand, modelNotKnown, sourceOf } from './openai-compatible/server.js';

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
  /** As the server names it. */
  model: string;
  /** The most alternatives to ask for at each place. Default 20, as vLLM has it. */
  maxTopLogprobs?: number | undefined;
  /** The most prompts in one request. Default 64. */
  batchSize?: number | undefined;
}

/** A text to generate. */
interface Wanted {
  /** Of the request. */
  place: number;
  prompt: string;
  request: { max_tokens: number; stop: readonly string[] };
}

/**
 * A model behind `POST /v1/completions` of a server that scores prompts: by `echo`, as vLLM and SGLang do, or
 * by `prompt_logprobs` of vLLM. All texts of a call go in one request of up to `batchSize`. A text that the
 * server does not take, such as one that is longer than the context of the model, fails alone.
 *
 * Tokens of a continuation are told from those of its prompt by their texts, and where these are parts of
 * characters by `POST /tokenize`. A token that begins in the prompt is one of the continuation.
 *
 * What was cached is handed on as the server tells it: vLLM counts it for the last prompt of a request alone.
 *
 * @throws ContextShapingError `invalid-options`, naming the option that is wrong. Its methods throw `service`,
 *   also where a server silently ignores what is asked of it: llama.cpp, Ollama.
 */
export function openAICompatible(options: OpenAICompatibleOptions): LogprobModel {
  const { model, maxTopLogprobs, batchSize, maxConcurrency, ...http } = parseOptions(optionsSchema, options);
  const root = new JsonService(http);
  const server = new CompletionsServer(model, maxTopLogprobs);

  /** Answers to all questions, in batches, with one count of what they cost. */
  async function answered<Question, Answer>(
    batches: readonly (readonly Question[])[],
    learns: boolean,
    { topLogprobs = 0, signal }: ModelCall,
    ask: (batch: readonly Question[], errand: Errand) => Promise<readonly (Answer | Failed)[]>,
  ): Promise<Answers<Answer>> {
    const service = root.counted();
    const spending = new Spending();
    const results = await inBatches(batches, { atOnce: maxConcurrency, learns, signal }, (batch, stop) =>
      ask(batch, { service, spending, signal: stop, topLogprobs }),
    );
    return { results, usage: spending.usage(service.requests) };
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
      throw modelNotKnown(model, `Name one of: ${names}.`);
    },

    async score(requests, call = {}) {
      const asked = requests.filter(({ continuation }) => continuation !== '');
      const batches = batchesOf(asked, batchSize);
      const answers = await answered(batches, !server.isKnown, call, (batch, errand) =>
        scoreAll(server, batch, errand),
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
      for (const [place, { prompt, maxTokens, stop = [] }] of requests.entries()) {
        if (maxTokens < 1) continue;
        const request = { max_tokens: maxTokens, stop: stop.filter((text) => text !== '') };
        const key = JSON.stringify(request);
        groups.set(key, [...(groups.get(key) ?? []), { place, prompt, request }]);
      }
      const batches = [...groups.values()].flatMap((group) => batchesOf(group, batchSize));
      const { results, usage } = await answered(batches, false, call, async (batch, errand) => {
        const [{ request }] = batch as readonly [Wanted, ...Wanted[]];
        const prompts = batch.map(({ prompt }) => prompt);
        const choices = await server.generate(prompts, request, errand);
        return choices.map((choice) => readGenerated(choice, errand.topLogprobs, sourceOf(errand.service)));
      });
      const all = requests.map((): GeneratedText | Failed => ({ text: '', tokens: [] }));
      for (const [index, { place }] of batches.flat().entries())
        all[place] = results[index] as (typeof all)[0];
      return { results: all, usage };
    },
  };
}

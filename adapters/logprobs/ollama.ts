/** Models of Ollama, by its own API: it scores no texts, but tells the most probable tokens as it generates. */
import * as z from 'zod';
import {
  type Answers,
  ContextShapingError,
  type Failed,
  type LogprobModel,
  type ModelCall,
} from '../../src/index.js';
import { parseOptions } from '../../src/internal.js';
import type { Source } from './checked.js';
import { concurrently } from './concurrently.js';
import { type HttpOptions, httpOptions, JsonService, wrongShape } from './json-service.js';
import { type Generated, readGenerated, readModels } from './ollama/answers.js';
import { bodyFor, generatedText, placesAfter, type Send } from './ollama/asking.js';
import { NOTHING_BEFORE } from './ollama/parts.js';
import { scoreBySteps } from './ollama/steps.js';
import {
  ClientWire,
  clientIn,
  clientSchema,
  HttpWire,
  isTooLong,
  type OllamaClient,
  type OllamaClientHolder,
  ollamaAddress,
  ollamaRefusal,
  type Wire,
} from './ollama/wire.js';

const optionsSchema = z.strictObject({
  ...httpOptions,
  maxConcurrency: z.int().min(1).default(2),
  model: z.string().min(1),
  baseUrl: z.string().min(1).default('127.0.0.1'),
  client: clientSchema.optional(),
});

export interface OllamaModelOptions extends HttpOptions {
  /** As `ollama list` names it. */
  model: string;
  /**
   * Address of the server, also in the ways of `OLLAMA_HOST`: `localhost`, `0.0.0.0:11434`. Default
   * `http://127.0.0.1:11434`.
   */
  baseUrl?: string | undefined;
  /**
   * A client that was set up elsewhere, to send through instead: one of the package `ollama`, or what carries
   * one, as `ChatOllama` does. Its requests go on when a call is aborted. Address, headers, key and retries are
   * its own: these options are refused beside it.
   */
  client?: OllamaClient | OllamaClientHolder | undefined;
  /** The most texts that are scored at once. Default 2. */
  maxConcurrency?: number | undefined;
}

const NOT_WITH_A_CLIENT = ['baseUrl', 'headers', 'apiKey', 'maxRetries'] as const;

/**
 * A model of Ollama 0.12.11 or later. A text is scored step by step: one request tells up to eight tokens, as
 * long as they are those that the model would go on with; after each that is not, it is asked again. The score
 * is that of the most probable way to read the text as tokens that are told, which but for rare cases are those
 * that the model itself would cut it into. It is exact while no token that is not among the 20 most probable at
 * its place may be more probable than that; else it is an upper bound (`exact: false`). Spaces that a prompt
 * ends with are read with the text, for a token may begin with them. A text that goes on within a word of its
 * prompt fails.
 *
 * Ollama leaves out tokens that end the text or are parts of characters: it is asked up to six times more where
 * it tells of none. No text takes more than 64 steps; what is left then counts as certain, which makes the
 * score a bound as well. The tokens of a generated text are told up to the first that is left out.
 *
 * @throws ContextShapingError `invalid-options`, naming the option that is wrong. Its methods throw `service`,
 *   also for a model that is not there, and for an Ollama that is too old.
 */
export function ollamaModel(options: OllamaModelOptions): LogprobModel {
  const { model, maxConcurrency, client, ...http } = parseOptions(optionsSchema, options);
  if (client !== undefined) refuseOptionsOfHttp(options);
  const service = new JsonService({ ...http, baseUrl: ollamaAddress(http.baseUrl) });
  const newWire = (): Wire =>
    client === undefined ? new HttpWire(service.counted()) : new ClientWire(clientIn(client), http.timeoutMs);
  let tellsLogprobs = false;

  /** Works on each request, with one count of what they cost; a prompt that is too long fails alone. */
  async function answered<Request extends { prompt: string }, Answer>(
    requests: readonly Request[],
    { signal }: ModelCall,
    work: (request: Request, send: Send) => Promise<Answer | Failed>,
  ): Promise<Answers<Answer>> {
    signal?.throwIfAborted();
    const wire = newWire();
    let tokens: number | undefined = 0;
    const results = await concurrently(requests, maxConcurrency, signal, async (request, stop) => {
      try {
        return await work(request, async (prompt, settings) => {
          const body = bodyFor(model, prompt, settings);
          const answer = readGenerated(await wire.generate(body, stop), sourceOf(wire.names.generate));
          tokens = sum(tokens, answer.promptTokens);
          return expectLogprobs(answer, wire.names.generate);
        });
      } catch (error) {
        const refusal = ollamaRefusal(error);
        if (refusal === undefined) throw error;
        if (refusal.status === 404 && /model/.test(refusal.message)) throw notThere(model, error);
        if (isTooLong(refusal.message)) return { failure: refusal.message };
        throw error;
      }
    });
    return { results, usage: { requests: wire.requests, ...(tokens === undefined ? {} : { tokens }) } };
  }

  function expectLogprobs(answer: Generated, name: string): Generated {
    tellsLogprobs ||= answer.places.length > 0;
    if (tellsLogprobs || answer.text === '') return answer;
    const is = 'comes without log-probabilities';
    throw wrongShape(name, answer.text, is, 'Update Ollama to 0.12.11 or later.');
  }

  return {
    specificationVersion: 'v1',
    provider: 'ollama',
    modelId: model,
    async identify({ signal } = {}) {
      const wire = newWire();
      const answer = await wire.list(signal);
      if (answer === undefined) return `ollama:${model}`;
      const names = [model, `${model}:latest`];
      const found = readModels(answer, sourceOf(wire.names.list)).find(({ name }) => names.includes(name));
      if (found === undefined) throw notThere(model);
      return `ollama:${found.name}:${found.digest}`;
    },

    score(requests, call = {}) {
      return answered(requests, call, (request, send) =>
        scoreBySteps(request, call.topLogprobs ?? 0, (prompt, count) => placesAfter(prompt, count, send)),
      );
    },

    generate(requests, call = {}) {
      return answered(requests, call, async ({ prompt, maxTokens, stop = [] }, send) => {
        // To Ollama these are the wishes to generate without end, and to load the model.
        if (maxTokens < 1) return { text: '', tokens: [] };
        if (prompt === '') return NOTHING_BEFORE;
        // An empty one would end every text before it begins.
        const settings = { num_predict: maxTokens, stop: stop.filter((each) => each !== '') };
        return generatedText(await send(prompt, settings), call.topLogprobs ?? 0);
      });
    },
  };
}

const sourceOf = (name: string): Source => ({
  name,
  remedy: 'Check that the address is that of an Ollama, and its version.',
});

/** What one answer does not tell, nobody knows of all. */
function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}

function refuseOptionsOfHttp(options: OllamaModelOptions): void {
  for (const field of NOT_WITH_A_CLIENT) {
    if (options[field] === undefined) continue;
    throw new ContextShapingError('invalid-options', {
      field,
      value: options[field],
      is: 'is a matter of the client',
      remedy: 'Set it up there, or leave the client out.',
    });
  }
}

function notThere(model: string, cause?: unknown): ContextShapingError {
  return new ContextShapingError('service', {
    field: 'model',
    value: model,
    is: 'is not known to Ollama',
    remedy: `Get it: ollama pull ${model}`,
    cause,
  });
}

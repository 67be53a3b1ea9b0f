/**
 * Models of Ollama through its own API, which does not score texts but reports the most probable tokens while it
 * generates.
 */
import * as z from 'zod';
import type { Answers, ContextShapingError, Failed, LogprobModel, ModelCall } from '../../../src/index.js';
import { parseOptions } from '../../../src/internal.js';
import {
  type Endpoint,
  type HttpOptions,
  httpOptions,
  JsonService,
  unknownModel,
} from '../../json-service/index.js';
import { concurrently, invalidOption, UsageCounter } from '../../model-calls/index.js';
import { type ChatFrame, nameOfFrame } from '../chat-template.js';
import { type Generated, readGenerated, readModels } from './answers.js';
import { framed, framedRequest, readFrame } from './chat-frame.js';
import {
  ClientConnection,
  type Connection,
  clientIn,
  clientSchema,
  HttpConnection,
  isTooLong,
  type OllamaClient,
  type OllamaClientHolder,
  ollamaAddress,
  ollamaRefusal,
} from './connection.js';
import { bodyFor, generatedText, positionsAfter, type Send } from './requests.js';
import { type OllamaRunnerOptions, runnerOf, runnerSchema } from './runner.js';
import { EMPTY_PROMPT, scoreBySteps } from './score-by-steps.js';

const optionsSchema = z.strictObject({
  ...httpOptions,
  maxConcurrency: z.int().min(1).default(2),
  model: z.string().min(1),
  baseUrl: z.string().min(1).default('127.0.0.1'),
  client: clientSchema.optional(),
  runnerOptions: runnerSchema.default({}),
  chatTemplate: z.boolean().default(false),
});

export interface OllamaModelOptions extends HttpOptions {
  /** The name that `ollama list` shows. */
  model: string;
  /**
   * Address of the server, also in the forms of `OLLAMA_HOST`: `localhost`, `0.0.0.0:11434`. Default
   * `http://127.0.0.1:11434`.
   */
  baseUrl?: string | undefined;
  /**
   * Your own client, which then sends the requests: one of the package `ollama`, or an object with one, such as
   * `ChatOllama`. An abort does not cancel its requests. The client has its own address, headers, key and retries, so
   * these options may not be given with it. Give the `ChatOllama` itself rather than its client: its settings of the
   * loaded model, such as `numCtx` and `keepAlive`, are then sent too.
   */
  client?: OllamaClient | OllamaClientHolder | undefined;
  /**
   * Settings of the loaded model. If they differ from those of your other requests, Ollama loads the model anew at each
   * change. Default: those of a `ChatOllama` given as `client`, else Ollama's own; explicit ones replace them one by one.
   */
  runnerOptions?: OllamaRunnerOptions | undefined;
  /**
   * Whether each prompt becomes the message of a user in the model's own chat template, and the continuation is the
   * beginning of the answer. Ollama renders the template, with thinking off, in one request for each model object, and
   * again for `identify()`, which adds a digest of the template. Days in the template do not count in the digest. If the
   * template ends in white space, one space at the start of the continuation is left out.
   *
   * Ollama reads control tokens in every raw prompt, and does not split texts into tokens. So control tokens of known
   * templates, and all tags that occur in this one, get a space if a prompt contains them: `< |im_start|>`. Default
   * `false`.
   */
  chatTemplate?: boolean | undefined;
  /** The largest number of texts that are scored at once. Default 2. */
  maxConcurrency?: number | undefined;
}

const NOT_WITH_A_CLIENT = ['baseUrl', 'headers', 'apiKey', 'maxRetries'] as const;

/**
 * A model of Ollama 0.12.11 or later.
 *
 * A text is scored in steps. One request returns up to eight tokens, as long as the model itself would generate them;
 * after each other token a new request follows. The score is that of the most probable way to read the text as
 * reported tokens. Except in rare cases these are the tokens into which the model itself splits the text. The score is
 * exact, unless a token outside the 20 most probable ones at its position may lead to a more probable way; then it is
 * an upper bound (`exact: false`). Spaces at the end of a prompt are read together with the text, since a token may
 * begin with them. A text that continues a word of its prompt fails.
 *
 * Ollama leaves out tokens that end the text or are parts of characters. If it reports no token, up to six further
 * requests follow. A text takes at most 64 steps; its rest then counts as certain, so the score is an upper bound.
 * The tokens of a generated text end before the first token that Ollama leaves out. With a draft model, Ollama reports
 * no probabilities of the tokens that it proposed: each of them takes a request of its own.
 *
 * @throws ContextShapingError `invalid-options`, naming the wrong option. Its methods throw `service`, also if the
 *   model is not installed or Ollama is too old.
 */
export function ollamaModel(options: OllamaModelOptions): LogprobModel {
  const parsed = parseOptions(optionsSchema, options);
  const { model, maxConcurrency, client, runnerOptions, chatTemplate, ...http } = parsed;
  if (client !== undefined) refuseOptionsOfHttp(options);
  const service = new JsonService({ ...http, baseUrl: ollamaAddress(http.baseUrl) });
  const connect = (): Connection =>
    client === undefined
      ? new HttpConnection(service.counted())
      : new ClientConnection(clientIn(client), http.timeoutMs);
  let reportsLogprobs = false;
  let frame: ChatFrame | undefined;

  /** Reads the chat template if it is wanted. It is kept for later calls. */
  async function frameOf(connection: Connection, signal: AbortSignal | undefined, isAgain = false) {
    if (!chatTemplate || (frame !== undefined && !isAgain)) return frame;
    try {
      frame = await readFrame(connection, model, runnerOf(client, runnerOptions), signal);
      return frame;
    } catch (error) {
      throw isNotInstalled(error) ? notInstalled(model, error) : error;
    }
  }

  /** Answers each request, and counts the cost of all. A prompt that is too long fails by itself. */
  async function answered<Request extends { prompt: string }, Answer>(
    requests: readonly Request[],
    { signal }: ModelCall,
    work: (request: Request, send: Send, frame: ChatFrame | undefined) => Promise<Answer | Failed>,
  ): Promise<Answers<Answer>> {
    signal?.throwIfAborted();
    const connection = connect();
    const counter = new UsageCounter({ countsCached: false });
    const runner = runnerOf(client, runnerOptions);
    const frame = requests.length === 0 ? undefined : await frameOf(connection, signal);
    const results = await concurrently(requests, maxConcurrency, signal, async (request, stop) => {
      try {
        const send: Send = async (prompt, settings) => {
          const body = bodyFor(model, prompt, settings, runner);
          const { generate } = connection.endpoints;
          const answer = readGenerated(await connection.generate(body, stop), generate);
          counter.add({ tokens: answer.promptTokens });
          return expectLogprobs(answer, generate);
        };
        return await work(request, send, frame);
      } catch (error) {
        const refusal = ollamaRefusal(error);
        if (refusal === undefined) throw error;
        if (isNotInstalled(error)) throw notInstalled(model, error);
        if (isTooLong(refusal.message)) return { failure: refusal.message };
        throw error;
      }
    });
    return { results, usage: counter.usage(connection.requests) };
  }

  function expectLogprobs(answer: Generated, endpoint: Endpoint): Generated {
    reportsLogprobs ||= answer.positions.length > 0;
    if (reportsLogprobs || answer.text === '') return answer;
    const remedy = 'Update Ollama to 0.12.11 or later.';
    throw endpoint.malformed(answer.text, 'answers without log-probabilities', { remedy });
  }

  return {
    specificationVersion: 'v1',
    provider: 'ollama',
    modelId: model,
    async identify({ signal } = {}) {
      const connection = connect();
      const answer = await connection.list(signal);
      const names = [model, `${model}:latest`];
      const models = answer === undefined ? undefined : readModels(answer, connection.endpoints.list);
      const found = models?.find(({ name }) => names.includes(name));
      if (models !== undefined && found === undefined) throw notInstalled(model);
      const read = await frameOf(connection, signal, true);
      const weights = found === undefined ? [model] : [found.name, found.digest];
      const template = read === undefined ? [] : [nameOfFrame(read)];
      return ['ollama', ...weights, ...template].join(':');
    },

    score(requests, call = {}) {
      return answered(requests, call, (request, send, frame) =>
        scoreBySteps(
          frame === undefined ? request : framedRequest(frame, request),
          call.topLogprobs ?? 0,
          (prompt, count) => positionsAfter(prompt, count, send),
        ),
      );
    },

    generate(requests, call = {}) {
      return answered(requests, call, async ({ prompt: text, maxTokens, stop = [] }, send, frame) => {
        const prompt = frame === undefined ? text : framed(frame, text);
        // In Ollama these values mean: generate without end, and load the model.
        if (maxTokens < 1) return { text: '', tokens: [] };
        if (prompt === '') return EMPTY_PROMPT;
        // An empty stop text would end every text before it begins.
        const settings = { num_predict: maxTokens, stop: stop.filter((each) => each !== '') };
        return generatedText(prompt, await send(prompt, settings), call.topLogprobs ?? 0, send);
      });
    },
  };
}

function refuseOptionsOfHttp(options: OllamaModelOptions): void {
  for (const field of NOT_WITH_A_CLIENT) {
    if (options[field] === undefined) continue;
    throw invalidOption(
      field,
      options[field],
      'cannot be given together with a client',
      'Set it in the client, or leave the client out.',
    );
  }
}

function isNotInstalled(error: unknown): boolean {
  const refusal = ollamaRefusal(error);
  return refusal?.status === 404 && /model/.test(refusal.message);
}

const notInstalled = (model: string, cause?: unknown): ContextShapingError =>
  unknownModel(model, 'Ollama', `Get it: ollama pull ${model}`, cause);

import * as z from 'zod';
import type { LogprobModel, ModelCall } from '../../../src/index.js';
import { parseOptions } from '../../../src/internal.js';
import { type HttpOptions, httpOptions, JsonService } from '../../json-service/index.js';
import { turns } from '../../model-calls/index.js';
import { endpointOf, modelsIn, propsIn } from './answers.js';
import { ServerCall } from './call.js';
import type { ServerState } from './completions.js';
import { generate } from './generate.js';
import { score } from './score.js';

const optionsSchema = z.strictObject({
  ...httpOptions,
  baseUrl: z.string(),
  parseSpecial: z.boolean().default(false),
  batchSize: z.int().min(1).default(32),
});

export interface LlamaServerOptions extends HttpOptions {
  /** Address of the server, with or without `/v1`. */
  baseUrl: string;
  /**
   * Whether control tokens in a prompt, such as those of a chat template, are read as such. If so, passages can
   * contain control tokens, too. The token that begins every text is added in any case. Default `false`.
   */
  parseSpecial?: boolean | undefined;
  /**
   * The largest number of prompts in one request; `timeoutMs` holds for that request. Further prompts are sent after
   * it. Default 32.
   */
  batchSize?: number | undefined;
}

/**
 * A language model behind llama.cpp’s own server, `llama-server`. Scores are exact. One request scores up to
 * `batchSize` prompts with the same continuation, and the server computes the common start of the prompts once.
 *
 * Each distinct text is also sent to be tokenized. These requests and all retries count in the usage. Old servers, and
 * texts with a character of several tokens, take one request per token. A score is an upper bound only if such a token
 * is not among the 1000 most probable ones.
 *
 * A prompt that is too long for a slot fails, and the others are answered. If slots share a context that is too small
 * for all prompts of a request, later requests have fewer prompts.
 *
 * @throws ContextShapingError `invalid-options`, naming the first wrong option; its methods reject with `service` if
 *   the server fails, or is not a llama.cpp server.
 */
export function llamaServer(options: LlamaServerOptions): LogprobModel {
  const settings = parseOptions(optionsSchema, options);
  const service = new JsonService(settings);
  const state: ServerState = { tokenGrammar: true, sharedContext: undefined, inTurn: turns() };
  const begin = (call: ModelCall) => new ServerCall(service.counted(), state, settings, call);
  return {
    specificationVersion: 'v1',
    // No modelId: identify() asks the server for its model.
    provider: 'llama.cpp',
    identify: ({ signal } = {}) => identityOf(service, signal),
    async score(requests, options = {}) {
      const call = begin(options);
      const results = await score(call, requests);
      return { results, usage: call.usage };
    },
    async generate(requests, options = {}) {
      const call = begin(options);
      const results = await generate(call, requests);
      return { results, usage: call.usage };
    },
  };
}

/**
 * The name of the model on the server: its file, else its alias; then the number of weights, their bytes, the size of
 * the vocabulary, and the format of the weights. `?` stands for a value that an old server does not report.
 */
async function identityOf(service: JsonService, signal: AbortSignal | undefined): Promise<string> {
  const endpoint = endpointOf(service, 'GET', 'props');
  const props = propsIn(await service.get('props', signal), endpoint);
  const answer = await service.get('v1/models', signal);
  const models = modelsIn(answer, endpointOf(service, 'GET', 'v1/models'));
  const model = models.find(({ id }) => id === props.model_alias) ?? models[0];
  const { n_params, size, n_vocab, ftype } = model?.meta ?? {};
  const file = props.model_path?.split(/[/\\]/).at(-1);
  const name = file || props.model_alias || model?.id;
  if (!name) throw endpoint.malformed(name, 'reports no name of its model');
  const parts = [name, n_params, size, n_vocab, ftype ?? props.model_ftype];
  return ['llama-server', ...parts.map((part) => part ?? '?')].join(':');
}

import * as z from 'zod';
import type { LogprobModel, ModelCall } from '../../../src/index.js';
import { parseOptions } from '../../../src/internal.js';
import { type HttpOptions, httpOptions, JsonService } from '../../json-service/index.js';
import { turns } from '../../model-calls/index.js';
import { modelsIn, propsIn } from './answers.js';
import { ServerCall, type ServerState } from './call.js';
import { generate } from './generate.js';
import { score } from './score.js';
import { LlamaServer } from './server.js';
import { renderTemplate } from './template.js';

const optionsSchema = z
  .strictObject({
    ...httpOptions,
    baseUrl: z.string(),
    chatTemplate: z.boolean().default(false),
    parseSpecial: z.boolean().default(false),
    batchSize: z.int().min(1).default(32),
  })
  .refine(({ chatTemplate, parseSpecial }) => !(chatTemplate && parseSpecial), {
    error: 'cannot be given with chatTemplate, which reads the control tokens of the template and no others',
    path: ['parseSpecial'],
  });

export interface LlamaServerOptions extends HttpOptions {
  /** Address of the server, with or without `/v1`. */
  baseUrl: string;
  /**
   * Puts each prompt, as the one message of a user, into the chat template of the model, with thinking off; the
   * continuation is then the beginning of the answer. For models that were trained to chat. The server itself applies the
   * template. Control tokens of the template are read as such, those in prompts never. If the template ends in white
   * space, one space at the start of a continuation is dropped. The template is read once; `identify()` adds a digest
   * of it, and notices if another one is in use. Default `false`.
   */
  chatTemplate?: boolean | undefined;
  /**
   * Whether control tokens in a prompt, such as those of a chat template, are read as such. If so, passages can
   * contain control tokens, too; `chatTemplate` is safe from that. The token that begins every text is added, unless
   * the prompt begins with it. Default `false`.
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
 * Two further requests split all texts into tokens; a generation needs one of them. They and all retries count in the
 * usage. Old servers, and texts with a character of several tokens, take one request per token. A score is an upper
 * bound only if such a token is not among the 1000 most probable ones.
 *
 * A prompt that is too long for a slot fails, and the others are answered. If slots share a context that is too small
 * for all prompts of a request, later requests have fewer prompts.
 *
 * @throws ContextShapingError `invalid-options`, naming the first wrong option; its methods reject with `service` if
 *   the server fails, is not a llama.cpp server, or has several models (a router).
 */
export function llamaServer(options: LlamaServerOptions): LogprobModel {
  const settings = parseOptions(optionsSchema, options);
  const service = new JsonService(settings);
  const state: ServerState = {
    tokenGrammar: true,
    sharedContext: undefined,
    inTurn: turns(),
    template: undefined,
    identity: undefined,
  };
  const begin = (call: ModelCall) => {
    const server = new LlamaServer(service.counted());
    return new ServerCall(server, state, settings, call);
  };
  return {
    specificationVersion: 'v1',
    // No modelId: identify() asks the server for its model.
    provider: 'llama.cpp',
    async identify(options = {}) {
      const { server } = begin(options);
      const parts = [await identityOf(server, options.signal)];
      if (settings.chatTemplate) parts.push(`chat-${(await renderTemplate(server, options.signal)).digest}`);
      const identity = parts.join(':');
      // The numbers of its tokens are those of one model.
      if (identity !== state.identity) state.template = undefined;
      state.identity = identity;
      return identity;
    },
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
async function identityOf(server: LlamaServer, signal: AbortSignal | undefined): Promise<string> {
  const endpoint = server.endpoint('GET', 'props');
  const props = propsIn(await server.get('props', signal), endpoint);
  if (props.role === 'router') {
    const remedy = 'Start llama-server with one model (-m), and give its address.';
    throw endpoint.malformed(props.role, 'has several models', { remedy });
  }
  const answer = await server.get('v1/models', signal);
  const models = modelsIn(answer, server.endpoint('GET', 'v1/models'));
  const find = (name: string | undefined) =>
    models.find(({ id, aliases }) => name !== undefined && [id, ...aliases].includes(name));
  const model = find(props.model_alias) ?? models[0];
  const { n_params, size, n_vocab, ftype } = model?.meta ?? {};
  const file = props.model_path?.split(/[/\\]/).at(-1);
  const name = file || props.model_alias || model?.id;
  if (!name) throw endpoint.malformed(name, 'reports no name of its model');
  const parts = [name, n_params, size, n_vocab, ftype ?? props.model_ftype];
  return ['llama-server', ...parts.map((part) => part ?? '?')].join(':');
}

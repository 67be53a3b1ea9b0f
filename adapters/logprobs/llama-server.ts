import * as z from 'zod';
import type { LogprobModel, ModelCall } from '../../src/index.js';
import { parseOptions } from '../../src/internal.js';
import { type HttpOptions, httpOptions, JsonService } from './json-service.js';
import { LlamaCall } from './llama-server/call.js';
import type { Memory } from './llama-server/completions.js';
import { generate } from './llama-server/generate.js';
import { identityOf } from './llama-server/identity.js';
import { score } from './llama-server/score.js';
import { turns } from './turns.js';

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
   * Do prompts bring control tokens, such as those of a chat template, as text? Then passages can smuggle in
   * such tokens as well. The one that begins every text is added in any case. Default `false`.
   */
  parseSpecial?: boolean | undefined;
  /** The most prompts in one request, for which `timeoutMs` is: further ones are sent after it. Default 32. */
  batchSize?: number | undefined;
}

/**
 * A language model behind llama.cpp’s own server, `llama-server`: exact, and one request for up to
 * `batchSize` prompts with the same text to come, whose common beginnings the server computes once.
 *
 * Each distinct text is also sent to be tokenised; these requests, and those sent again, count in the usage.
 * Old servers, and texts in which a character is of several tokens, take a request for each token. Only where
 * such a token is not among the 1000 most probable ones is a score a bound.
 *
 * A prompt that a slot has no room for fails, the others are answered. Where slots share a context that is too
 * small for what is asked at once, the server is asked for less at once from then on.
 *
 * @throws ContextShapingError `invalid-options`, naming the first option that is wrong; its methods reject with
 *   `service` if the server fails, or is none of llama.cpp.
 */
export function llamaServer(options: LlamaServerOptions): LogprobModel {
  const settings = parseOptions(optionsSchema, options);
  const service = new JsonService(settings);
  const memory: Memory = { tokenGrammar: true, sharedContext: undefined, inTurn: turns() };
  const begin = (call: ModelCall) => new LlamaCall(service.counted(), memory, settings, call);
  return {
    specificationVersion: 'v1',
    // Which model it has, identify() asks the server.
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

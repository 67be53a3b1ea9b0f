/** Schemas of the answers of llama.cpp's server. The rest of this adapter reads only fields that are checked here. */
import * as z from 'zod';
import type { Endpoint } from '../../json-service/index.js';
import { logprob } from '../logprob.js';

const probability = z.object({
  id: z.int().min(0),
  /** Without the bytes of an incomplete character. */
  token: z.string(),
  bytes: z.array(z.int().min(0).max(255)),
  logprob,
});

const completion = z.object({
  index: z.int().min(0),
  content: z.string().optional(),
  tokens: z.array(z.int().min(0)).optional(),
  /** Without tokens that end inside a character; absent if there are no others. */
  completion_probabilities: z.array(probability.extend({ top_logprobs: z.array(probability) })).default([]),
  tokens_predicted: z.int().min(0).optional(),
  stop_type: z.string().optional(),
  /** The context was full: the answer ends early, or the server dropped the start of the text. */
  truncated: z.boolean().default(false),
  timings: z.object({ cache_n: z.int().min(0), prompt_n: z.int().min(0) }).optional(),
});

/** The number -1 of the request comes back, too. */
const tokens = z.object({ tokens: z.array(z.int().min(-1)) });

const pieceTokens = z.object({
  tokens: z.array(
    z.object({
      id: z.int().min(0),
      /** Bytes, if they are not valid UTF-8. */
      piece: z.union([z.string(), z.array(z.int().min(0).max(255))]),
    }),
  ),
});

const template = z.object({ prompt: z.string() });

const props = z.object({
  /** `router`, if the server has several models. */
  role: z.string().optional(),
  model_path: z.string().optional(),
  model_alias: z.string().optional(),
  model_ftype: z.string().optional(),
  default_generation_settings: z.object({ n_ctx: z.int().min(0).optional() }).optional(),
});

const models = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      aliases: z.array(z.string()).default([]),
      meta: z
        .object({
          n_params: z.number().optional(),
          size: z.number().optional(),
          n_vocab: z.number().optional(),
          ftype: z.string().optional(),
        })
        .nullish(),
    }),
  ),
});

export type Completion = z.output<typeof completion>;
export type Probability = z.output<typeof probability>;

export const tokensIn = (answer: unknown, endpoint: Endpoint) => endpoint.read(tokens, answer).tokens;
export const pieceTokensIn = (answer: unknown, endpoint: Endpoint) =>
  endpoint.read(pieceTokens, answer).tokens;
export const renderedIn = (answer: unknown, endpoint: Endpoint) => endpoint.read(template, answer).prompt;
export const propsIn = (answer: unknown, endpoint: Endpoint) => endpoint.read(props, answer);
export const modelsIn = (answer: unknown, endpoint: Endpoint) => endpoint.read(models, answer).data;

/** @returns one completion for each of `count` prompts, in their order. */
export function completionsIn(answer: unknown, endpoint: Endpoint, count: number): Completion[] {
  // For a single prompt the server sends the completion itself, for several an array.
  const all = endpoint.read(z.array(completion), Array.isArray(answer) ? answer : [answer]);
  return endpoint.inOrder(all, count);
}

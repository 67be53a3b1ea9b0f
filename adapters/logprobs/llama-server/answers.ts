/** What llama.cpp's server answers, checked: nothing else of this adapter reads what it did not look at. */
import * as z from 'zod';
import { checked } from '../checked.js';
import { type JsonService, wrongShape } from '../json-service.js';
import { logprob } from '../logprob.js';

const probability = z.object({
  id: z.int().min(0),
  /** Without the bytes of half a character. */
  token: z.string(),
  bytes: z.array(z.int().min(0).max(255)),
  logprob,
});

const completion = z.object({
  index: z.int().min(0),
  content: z.string().optional(),
  tokens: z.array(z.int().min(0)).optional(),
  /** Tokens whose end is inside a character are missing, and absent altogether if there is no other. */
  completion_probabilities: z.array(probability.extend({ top_logprobs: z.array(probability) })).default([]),
  tokens_predicted: z.int().min(0).optional(),
  stop_type: z.string().optional(),
  /** The context was full: the answer ends early, or the beginning was forgotten. */
  truncated: z.boolean().default(false),
  timings: z.object({ cache_n: z.int().min(0), prompt_n: z.int().min(0) }).optional(),
});

const tokens = z.object({
  tokens: z.array(
    z.object({
      id: z.int().min(0),
      /** Bytes where they are no UTF-8. */
      piece: z.union([z.string(), z.array(z.int().min(0).max(255))]),
    }),
  ),
});

const props = z.object({
  model_path: z.string().optional(),
  model_alias: z.string().optional(),
  model_ftype: z.string().optional(),
  default_generation_settings: z.object({ n_ctx: z.int().min(1).optional() }).optional(),
});

const models = z.object({
  data: z.array(
    z.object({
      id: z.string(),
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

/** What to do about a server that answers otherwise. */
const REMEDY = 'Give the address of llama.cpp’s own server (llama-server), of 2025 or later.';

export const tokensIn = (answer: unknown, name: string) =>
  checked(tokens, answer, { name, remedy: REMEDY }).tokens;
export const propsIn = (answer: unknown, name: string) => checked(props, answer, { name, remedy: REMEDY });
export const modelsIn = (answer: unknown, name: string) =>
  checked(models, answer, { name, remedy: REMEDY }).data;

/** @returns one for each of `count` prompts, in their order. */
export function completionsIn(answer: unknown, name: string, count: number): Completion[] {
  // A single prompt is answered with what several are answered with an array of.
  const source = { name, remedy: REMEDY };
  const all = checked(z.array(completion), Array.isArray(answer) ? answer : [answer], source);
  const ordered = all.toSorted((a, b) => a.index - b.index);
  if (ordered.length !== count || ordered.some(({ index }, place) => index !== place)) {
    const indexes = ordered.map(({ index }) => index).join(', ');
    throw wrongShape(name, indexes, `does not answer each of ${count} prompts once`, REMEDY);
  }
  return ordered;
}

/** Of an answer that is well formed, and not what was asked for. */
export const notAsTold = (
  service: JsonService,
  value: unknown,
  is: string,
  [method, path]: [method: string, path: string] = ['POST', 'completion'],
) => wrongShape(service.nameOf(method, path), value, is, REMEDY);

/** Schemas of Ollama's answers. */
import * as z from 'zod';
import type { Endpoint } from '../../json-service/index.js';
import { ROUNDING } from '../logprob.js';
import type { GeneratedPosition, ListedToken } from './score-by-steps.js';

/** llama.cpp sends the smallest 32-bit number for a probability that is too small for its type: no information. */
const TOO_SMALL = -1e30;

const token = z.object({
  token: z.string(),
  bytes: z.array(z.int().min(0).max(255)).nullish(),
  /** Rounding can lift the logarithm of the probability 1 above 0. */
  logprob: z
    .number()
    .max(ROUNDING)
    .transform((value) => Math.min(value, 0)),
});

const generated = z.object({
  response: z.string(),
  done_reason: z.string().nullish(),
  prompt_eval_count: z.int().min(0).nullish(),
  eval_count: z.int().min(0).nullish(),
  logprobs: z.array(z.object({ ...token.shape, top_logprobs: z.array(token).nullish() })).nullish(),
});

const rendered = z.object({ _debug_info: z.object({ rendered_template: z.string() }) });

/** The parts of a model that say whether llama.cpp puts a token before every text. */
const shown = z.object({
  model_info: z.object({
    'tokenizer.ggml.add_bos_token': z.boolean().nullish(),
    'tokenizer.ggml.model': z.string().nullish(),
    'tokenizer.ggml.pre': z.string().nullish(),
  }),
});

/** For these tokenizers llama.cpp adds the token even if the file of the model says otherwise. */
const ALWAYS_ADDED = ['gemma4', 'lfm2'];

const models = z.object({
  models: z.array(z.object({ name: z.string(), digest: z.string() })),
});

export interface Generated {
  text: string;
  positions: readonly GeneratedPosition[];
  /** `positions` has every generated token. Ollama leaves out tokens that end inside a character, or end the text. */
  isWhole: boolean;
  promptTokens: number | undefined;
}

export function readGenerated(body: unknown, endpoint: Endpoint): Generated {
  const { response, done_reason, prompt_eval_count, eval_count, logprobs } = endpoint.read(generated, body);
  const positions = (logprobs ?? []).map((position) => ({
    taken: listed(position),
    top: (position.top_logprobs ?? [])
      .filter(({ logprob }) => logprob > TOO_SMALL)
      .map(listed)
      .toSorted((a, b) => b.logprob - a.logprob),
  }));
  const count = positions.length + (done_reason === 'stop' ? 1 : 0);
  return {
    text: response,
    positions,
    isWhole: positions.map(({ taken }) => taken.text).join('') === response && count >= (eval_count ?? 0),
    promptTokens: prompt_eval_count ?? undefined,
  };
}

/** The rendered template. Ollama before 0.11.5 ignores the request, and generates a text. */
export function readRendered(body: unknown, endpoint: Endpoint): string {
  const result = rendered.safeParse(body);
  if (result.success) return result.data._debug_info.rendered_template;
  throw endpoint.malformed(body, 'does not render the chat template', {
    remedy: 'Update Ollama, or leave out chatTemplate. A client must pass the field _debug_render_only on.',
  });
}

/** Whether llama.cpp puts the token that begins a text before every prompt. */
export function readTokenizer(body: unknown, endpoint: Endpoint): { addsBeginning: boolean } {
  const { model_info: info } = endpoint.read(shown, body);
  const names = [info['tokenizer.ggml.pre'], info['tokenizer.ggml.model']];
  return {
    addsBeginning:
      info['tokenizer.ggml.add_bos_token'] === true ||
      names.some((name) => ALWAYS_ADDED.includes(name ?? '')),
  };
}

/** Names and digests of the installed models. */
export function readModels(body: unknown, endpoint: Endpoint) {
  return endpoint.read(models, body).models;
}

function listed({ token: text, bytes, logprob }: z.output<typeof token>): ListedToken {
  return { text, bytes: bytes ? Uint8Array.from(bytes) : new TextEncoder().encode(text), logprob };
}

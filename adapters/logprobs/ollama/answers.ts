/** What Ollama answers, checked. */
import * as z from 'zod';
import { checked, type Source } from '../checked.js';
import type { GeneratedPlace, Listed } from './steps.js';

/** llama.cpp writes the least 32-bit number where a probability is too small for one: it tells nothing. */
const TOO_SMALL = -1e30;

const token = z.object({
  token: z.string(),
  bytes: z.array(z.int().min(0).max(255)).nullish(),
  /** A logarithm above 0 is one of a probability of 1 that was rounded. */
  logprob: z
    .number()
    .max(1e-3)
    .transform((value) => Math.min(value, 0)),
});

const generated = z.object({
  response: z.string(),
  done_reason: z.string().nullish(),
  prompt_eval_count: z.int().min(0).nullish(),
  eval_count: z.int().min(0).nullish(),
  logprobs: z.array(z.object({ ...token.shape, top_logprobs: z.array(token).nullish() })).nullish(),
});

const models = z.object({
  models: z.array(z.object({ name: z.string(), digest: z.string() })),
});

export interface Generated {
  text: string;
  places: readonly GeneratedPlace[];
  /** Is every token that was generated in `places`? Those that end within a character, or a text, are not. */
  isWhole: boolean;
  promptTokens: number | undefined;
}

export function readGenerated(body: unknown, source: Source): Generated {
  const answer = checked(generated, body, source);
  const { response, done_reason, prompt_eval_count, eval_count, logprobs } = answer;
  const places = (logprobs ?? []).map((place) => ({
    taken: listed(place),
    top: (place.top_logprobs ?? [])
      .filter(({ logprob }) => logprob > TOO_SMALL)
      .map(listed)
      .toSorted((a, b) => b.logprob - a.logprob),
  }));
  const count = places.length + (done_reason === 'stop' ? 1 : 0);
  return {
    text: response,
    places,
    isWhole: places.map(({ taken }) => taken.text).join('') === response && count >= (eval_count ?? 0),
    promptTokens: prompt_eval_count ?? undefined,
  };
}

/** Names and digests of the models that there are. */
export function readModels(body: unknown, source: Source) {
  return checked(models, body, source).models;
}

function listed({ token: text, bytes, logprob }: z.output<typeof token>): Listed {
  return { text, bytes: bytes ? Uint8Array.from(bytes) : new TextEncoder().encode(text), logprob };
}

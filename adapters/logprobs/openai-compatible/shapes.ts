/** What servers with the completions of OpenAI answer, as they document it. */
import * as z from 'zod';
import { LEAST_LOGPROB, logprob as told } from '../logprob.js';

/** JSON has no infinity: some write it as a text. */
const logprob = z.union([told, z.literal(['-Infinity', '-inf']).transform(() => LEAST_LOGPROB)]);

/** Of one choice: the form of OpenAI's completions. That of llama.cpp, and of chats, is another. */
export const listedTokens = z.object({
  tokens: z.array(z.string()),
  token_logprobs: z.array(logprob.nullable()),
  top_logprobs: z.array(z.unknown()).nullish(),
});

export const alternatives = z.record(z.string(), logprob).nullable();

export const promptLogprobs = z.array(
  z.record(z.string().regex(/^\d+$/), z.object({ logprob, decoded_token: z.string().nullish() })).nullable(),
);

const choice = z.object({
  index: z.int().min(0),
  text: z.string(),
  finish_reason: z.string().nullish(),
  logprobs: z.unknown().optional(),
  prompt_logprobs: z.unknown().optional(),
  prompt_token_ids: z.array(z.int().min(0)).nullish(),
});
export type Choice = z.output<typeof choice>;

export const completion = z.object({
  choices: z.array(choice),
  usage: z
    .object({
      prompt_tokens: z.int().min(0).nullish(),
      prompt_tokens_details: z.object({ cached_tokens: z.int().min(0).nullish() }).nullish(),
    })
    .nullish(),
});

export const tokenized = z.object({ tokens: z.array(z.int().min(0)) });

/** `root` is the name of the weights. */
export const models = z.object({
  data: z.array(z.object({ id: z.string(), root: z.string().nullish() })),
});

/** Answers of servers with OpenAI's completions API: their schemas, and one common form for the rest of the adapter. */
import * as z from 'zod';
import type { GeneratedText, TokenProbability } from '../../../src/index.js';
import type { Endpoint } from '../../json-service/index.js';
import { LEAST_LOGPROB, logprob as numericLogprob } from '../logprob.js';
import { tokensWithin } from '../tokens-within.js';
import type { EchoedPosition, EchoedToken } from './alignment.js';

/** JSON has no infinity: some servers write it as a text. */
const logprob = z.union([numericLogprob, z.literal(['-Infinity', '-inf']).transform(() => LEAST_LOGPROB)]);

/** The form of OpenAI's completions. llama.cpp and chat completions have another form. */
const listedTokens = z.object({
  tokens: z.array(z.string()),
  token_logprobs: z.array(logprob.nullable()),
  top_logprobs: z.array(z.unknown()).nullish(),
});

const alternatives = z.record(z.string(), logprob).nullable();

const promptLogprobs = z.array(
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

const completion = z.object({
  choices: z.array(choice),
  usage: z
    .object({
      prompt_tokens: z.int().min(0).nullish(),
      prompt_tokens_details: z.object({ cached_tokens: z.int().min(0).nullish() }).nullish(),
    })
    .nullish(),
});

/** `root` is the name of the weights. */
const models = z.object({
  data: z.array(z.object({ id: z.string(), root: z.string().nullish() })),
});

/**
 * The choices in the order of the prompts, and their cost.
 *
 * @param computesAll the request makes the server compute whole prompts, so that each prompt has the same number of
 *   cached tokens, 0. Otherwise a count for several prompts is ignored: vLLM's is that of the last prompt alone.
 */
export function readCompletion(body: unknown, prompts: number, computesAll: boolean, endpoint: Endpoint) {
  const { choices, usage } = endpoint.read(completion, body);
  const cached = usage?.prompt_tokens_details?.cached_tokens ?? undefined;
  return {
    choices: endpoint.inOrder(choices, prompts),
    tokens: usage?.prompt_tokens ?? undefined,
    cachedTokens: prompts === 1 || computesAll ? cached : undefined,
  };
}

/** The models of the server. */
export const readModels = (body: unknown, endpoint: Endpoint) => endpoint.read(models, body).data;

/** The tokens of a prompt, which the server reports together with their probabilities. */
export interface Echo {
  positions: readonly EchoedPosition[];
  /** How many generated tokens follow those of the prompt, unless the server generated one more or one less. */
  generated: number;
  /** The numbers of the prompt's tokens, if the server reports them. */
  ids?: readonly number[];
}

/** The tokens of the prompt and the generated ones; nothing, if the prompt was not echoed. */
export function readEchoed(
  choice: Choice,
  prompt: string | readonly number[],
  generated: number,
  endpoint: Endpoint,
): Echo | undefined {
  const positions = positionsOf(choice, endpoint);
  const first = positions?.[0]?.candidates[0];
  // A generated token always has a probability, since other tokens come before it. Some servers do not repeat the text.
  const isEchoed = first?.logprob === null || (typeof prompt === 'string' && choice.text.includes(prompt));
  if (positions === undefined || !isEchoed) return undefined;
  const ids = choice.prompt_token_ids ?? undefined;
  const isOfPrompt = ids !== undefined && [0, 1].includes(positions.length - ids.length);
  if (!isOfPrompt) return { positions, generated };
  const numbered = positions.map(({ candidates, top }, at) => {
    const id = ids[at];
    return { candidates: candidates.map((token) => (id === undefined ? token : { ...token, id })), top };
  });
  return { positions: numbered, generated: positions.length - ids.length, ids };
}

/** The tokens of the prompt; nothing, if the service did not report them. */
export function readPromptLogprobs(
  choice: Choice,
  _prompt: string | readonly number[],
  _generated: number,
  endpoint: Endpoint,
): Echo | undefined {
  const { index, prompt_logprobs, prompt_token_ids } = choice;
  const ids = prompt_token_ids ?? undefined;
  if (prompt_logprobs === undefined || prompt_logprobs === null) return undefined;
  const entries = endpoint.read(promptLogprobs, prompt_logprobs, `.choices[${index}].prompt_logprobs`);
  if (ids && ids.length !== entries.length) {
    const is = `reports prompt_logprobs for another number of tokens than its ${ids.length}`;
    throw endpoint.malformed(entries.length, is);
  }
  const positions = entries.map((entry, at) => {
    const tokens = Object.entries(entry ?? {}).map(([id, { logprob, decoded_token }]) => ({
      text: decoded_token ?? '',
      id: Number(id),
      logprob,
    }));
    const candidates = ids ? tokens.filter(({ id }) => id === ids[at]) : tokens;
    const unknown: EchoedToken[] = [{ text: '', logprob: null }];
    return { candidates: candidates.length === 0 ? unknown : candidates, top: () => bestFirst(tokens) };
  });
  return { positions, generated: 0, ...(ids && { ids }) };
}

/** A generated text and its tokens. */
export function readGenerated(choice: Choice, topLogprobs: number, endpoint: Endpoint): GeneratedText {
  const positions = positionsOf(choice, endpoint);
  if (positions === undefined) {
    throw endpoint.malformed(choice.logprobs, 'reports no tokens with their texts');
  }
  const tokens = positions.map(({ candidates: [token], top }) => {
    const { text, logprob } = token as EchoedToken;
    if (logprob === null) throw endpoint.malformed(text, 'reports a token without its probability');
    return { text, logprob, ...topOf(top, topLogprobs) };
  });
  return { text: choice.text, tokens: tokensWithin(choice.text, tokens, choice.finish_reason === 'stop') };
}

/** The most probable tokens at a position, if they were requested and reported. */
export function topOf(top: EchoedPosition['top'], topLogprobs: number): { top?: TokenProbability[] } {
  const wanted = topLogprobs > 0 ? top().slice(0, topLogprobs) : [];
  return wanted.length > 0 ? { top: wanted } : {};
}

/** Whether the server names tokens by their numbers only (`token_id:17`). */
export function areNumbers(positions: readonly EchoedPosition[]): boolean {
  return positions.every(({ candidates }) => candidates.every(({ text }) => /^token_id:\d+$/.test(text)));
}

function positionsOf({ index, logprobs }: Choice, endpoint: Endpoint): EchoedPosition[] | undefined {
  if (typeof logprobs !== 'object' || logprobs === null || !('tokens' in logprobs)) return undefined;
  const path = `.choices[${index}].logprobs`;
  const { tokens, token_logprobs, top_logprobs } = endpoint.read(listedTokens, logprobs, path);
  if (token_logprobs.length !== tokens.length || (top_logprobs ?? tokens).length !== tokens.length) {
    const is = `reports logprobs for another number of tokens than its ${tokens.length}`;
    throw endpoint.malformed(token_logprobs.length, is);
  }
  return tokens.map((text, at) => ({
    candidates: [{ text, logprob: token_logprobs[at] ?? null }],
    top: () => {
      const entry = top_logprobs?.[at] ?? null;
      const listed = endpoint.read(alternatives, entry, `${path}.top_logprobs[${at}]`);
      return bestFirst(Object.entries(listed ?? {}).map(([text, logprob]) => ({ text, logprob })));
    },
  }));
}

/** Ties are ordered by text: a JSON object does not keep the order of the service. */
function bestFirst<T extends TokenProbability>(tokens: readonly T[]): T[] {
  return tokens.toSorted((a, b) => b.logprob - a.logprob || (a.text < b.text ? -1 : 1));
}

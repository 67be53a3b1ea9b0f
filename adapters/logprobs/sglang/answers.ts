/** Answers of SGLang's `POST /generate` and `GET /model_info`. */
import * as z from 'zod';
import type { GeneratedText, ScoredToken, TokenProbability } from '../../../src/index.js';
import type { Endpoint } from '../../json-service/index.js';
import { logprob } from '../logprob.js';
import { tokensWithin } from '../tokens-within.js';

/** A token: its log-probability, its number and its text. */
const listed = z.tuple([logprob.nullable(), z.int().min(0), z.string().nullish()]);
type Listed = z.output<typeof listed>;

const answer = z.object({
  text: z.string(),
  meta_info: z.object({
    prompt_tokens: z.int().min(0).nullish(),
    cached_tokens: z.int().min(0).nullish(),
    finish_reason: z.object({ type: z.string() }).nullish(),
    input_token_logprobs: z.array(listed).nullish(),
    output_token_logprobs: z.array(listed).nullish(),
    input_top_logprobs: z.array(z.array(listed).nullable()).nullish(),
    output_top_logprobs: z.array(z.array(listed).nullable()).nullish(),
  }),
});
export type Answer = z.output<typeof answer>;

const model = z.object({ model_path: z.string().min(1), weight_version: z.string().nullish() });

/** One answer per prompt, in the order of the prompts. */
export function readAnswers(body: unknown, prompts: number, endpoint: Endpoint): Answer[] {
  const answers = endpoint.read(z.array(answer), body);
  if (answers.length === prompts) return answers;
  throw endpoint.malformed(answers.length, `does not answer each of ${prompts} prompts once`);
}

/** The path of the weights, and their version. */
export const readModel = (body: unknown, endpoint: Endpoint) => endpoint.read(model, body);

/**
 * The tokens of a prompt from one on.
 *
 * @param ids the numbers of these tokens; the server must report the same ones.
 */
export function readScored(
  { meta_info }: Answer,
  ids: readonly number[],
  topLogprobs: number,
  endpoint: Endpoint,
): (Omit<ScoredToken, 'logprob'> & { logprob: number | null })[] {
  const { input_token_logprobs: tokens, input_top_logprobs: tops } = meta_info;
  if (!tokens) throw endpoint.malformed(tokens, 'reports no log-probabilities of the prompt');
  // The list begins one token earlier, and its first entry has no probability.
  const skipped = tokens.length - ids.length;
  const scored = tokens.slice(Math.max(0, skipped));
  if (skipped < 0 || scored.some(([, id], at) => id !== ids[at])) {
    const told = tokens.map(([, id]) => id).join(', ');
    throw endpoint.malformed(told, `reports other tokens than ${ids.join(', ').slice(0, 80)}`);
  }
  return scored.map(([logprob, id, text], at) => ({
    text: text ?? '',
    id,
    logprob,
    ...topOf(tops?.[skipped + at], topLogprobs),
  }));
}

/** A generated text and its tokens. */
export function readGenerated(
  { text, meta_info }: Answer,
  topLogprobs: number,
  endpoint: Endpoint,
): GeneratedText {
  const { output_token_logprobs: listed, output_top_logprobs: tops, finish_reason } = meta_info;
  if (!listed)
    throw endpoint.malformed(listed, 'reports no log-probabilities of the tokens that it generated');
  const tokens = listed.map(([logprob, id, text], at) => {
    if (logprob === null) throw endpoint.malformed(text, 'reports a token without its probability');
    return { text: text ?? '', id, logprob, ...topOf(tops?.[at], topLogprobs) };
  });
  return { text, tokens: tokensWithin(text, tokens, finish_reason?.type === 'stop') };
}

/** The most probable tokens, best first, if they were asked for and reported. */
function topOf(listed: readonly Listed[] | null | undefined, wanted: number): { top?: TokenProbability[] } {
  if (wanted < 1 || !listed || listed.length === 0) return {};
  const top = listed
    .flatMap(([logprob, id, text]) => (logprob === null ? [] : [{ text: text ?? '', id, logprob }]))
    .sort((a, b) => b.logprob - a.logprob || a.id - b.id);
  return { top: top.slice(0, wanted) };
}

import type { Probability } from './answers.js';
import type { ServerCall } from './call.js';
import {
  type Group,
  type Prompted,
  type ReportedToken,
  type Results,
  scoredText,
  untruncated,
} from './forced-tokens.js';
import { endsInsideCharacter } from './tokens.js';

/** Added to the logit of a token to force it: more than the difference between any two logits of a model. */
const SURE = 1000;
/** How many tokens to list where one of them must be found. */
const MANY = 1000;

/** Settings that force a token by a bias. The bias does not change the reported probabilities. */
export const forcing = (id: number): { n_predict: number; logit_bias: [number, number][] } => ({
  n_predict: 1,
  logit_bias: [[id, SURE]],
});

/**
 * Forces one token per request, each after all prompts at once.
 *
 * The server does not report a token that ends inside a character. At its position a letter is forced instead, and the
 * token is looked up among the most probable ones. If it is not listed, it is at most as probable as the last listed
 * token. Later tokens have at most the probability 1, so the score up to here is an upper bound for the text.
 */
export async function forceByBias(
  call: ServerCall,
  { tokens, texts }: Group,
  prompted: readonly Prompted[],
  results: Results,
  signal: AbortSignal,
): Promise<void> {
  const hidden = tokens.map(({ bytes }) => endsInsideCharacter(bytes));
  const letter = hidden.includes(true) ? call.letter : undefined;
  let open = prompted.map((each) => ({ ...each, reported: [] as ReportedToken[] }));
  for (const [at, { id }] of tokens.entries()) {
    const forced = hidden[at] ? (letter as number) : id;
    const before = tokens.slice(0, at).map((token) => token.id);
    const prompts = open.map(({ prompt }) => [...prompt, ...before]);
    const settings = { ...forcing(forced), n_probs: hidden[at] ? Math.max(MANY, call.listed) : call.listed };
    const completions = prompts.length > 0 ? await call.completions.of(prompts, settings, signal) : [];
    open = open.filter(({ index, prompt, reported }, nth) => {
      const completion = completions[nth] as (typeof completions)[number];
      const answer = untruncated(completion, prompt.length + tokens.length);
      if ('failure' in answer) {
        results[index] = answer;
        return false;
      }
      const first = answer.completion_probabilities[0];
      if (first?.id !== forced || first.top_logprobs.length === 0) {
        const is = `does not report the probability of the token ${forced}, which the request forces`;
        throw call.server.endpoint().malformed(first?.id, is);
      }
      const listed = first.top_logprobs;
      const token = hidden[at] ? listed.find((each) => each.id === id) : first;
      if (token !== undefined) return reported.push({ token, listed });
      const { logprob: bound } = listed.at(-1) as Probability;
      results[index] = scoredText(texts, reported, call.topLogprobs, bound);
      return false;
    });
  }
  for (const { index, reported } of open) results[index] = scoredText(texts, reported, call.topLogprobs);
}

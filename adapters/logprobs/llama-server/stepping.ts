import { notAsTold, type Probability } from './answers.js';
import type { LlamaCall } from './call.js';
import { type Group, type Prompted, type Results, reliable, scoredText, type Told } from './forced.js';
import { endsInsideCharacter } from './tokens.js';

/** Added to a token's logit so that it is taken: more than there is between any two that a model gives. */
const SURE = 1000;
/** How many tokens to list where one must be found among them. */
const MANY = 1000;

/** Forces a token by a bias, which does not change what the server tells of it. */
export const forcing = (id: number): { n_predict: number; logit_bias: [number, number][] } => ({
  n_predict: 1,
  logit_bias: [[id, SURE]],
});

/**
 * Has one token taken after the other, each after all prompts at once.
 *
 * The server tells nothing of a token that ends inside a character. There a letter is forced in its stead, and
 * it is looked up among the most probable ones. If it is not among them, it is no more probable than the last,
 * and as nothing is more than certain, the text is no more probable than what there is up to here.
 */
export async function tokenByToken(
  call: LlamaCall,
  { tokens, texts }: Group,
  prompted: readonly Prompted[],
  results: Results,
  signal: AbortSignal,
): Promise<void> {
  const hidden = tokens.map(({ bytes }) => endsInsideCharacter(bytes));
  const letter = hidden.includes(true) ? await call.letter(signal) : undefined;
  let walks = prompted.map((each) => ({ ...each, told: [] as Told[] }));
  for (const [at, { id }] of tokens.entries()) {
    const forced = hidden[at] ? (letter as number) : id;
    const before = tokens.slice(0, at).map((token) => token.id);
    const prompts = walks.map(({ prompt }) => [...prompt, ...before]);
    const settings = { ...forcing(forced), n_probs: hidden[at] ? Math.max(MANY, call.listed) : call.listed };
    const completions = prompts.length > 0 ? await call.completions.of(prompts, settings, signal) : [];
    walks = walks.filter(({ place, prompt, told }, index) => {
      const completion = completions[index] as (typeof completions)[number];
      const answer = reliable(completion, prompt.length + tokens.length);
      if ('failure' in answer) {
        results[place] = answer;
        return false;
      }
      const first = answer.completion_probabilities[0];
      if (first?.id !== forced || first.top_logprobs.length === 0) {
        const is = `does not tell how probable the token ${forced} is, which it is told to go on with`;
        throw notAsTold(call.service, first?.id, is);
      }
      const listed = first.top_logprobs;
      const token = hidden[at] ? listed.find((each) => each.id === id) : first;
      if (token !== undefined) return told.push({ token, listed });
      const { logprob: bound } = listed.at(-1) as Probability;
      results[place] = scoredText(texts, told, call.topLogprobs, bound);
      return false;
    });
  }
  for (const { place, told } of walks) results[place] = scoredText(texts, told, call.topLogprobs);
}

import type { ServerCall } from './call.js';
import { grammarRefused } from './completions.js';
import { type Group, type Prompted, type Results, scoredText, untruncated } from './forced-tokens.js';

/**
 * Forces all tokens with one request: a grammar allows the server no other tokens.
 *
 * @returns the requests that the server could not force this way, or did not answer.
 */
export async function forceByGrammar(
  call: ServerCall,
  { tokens, texts, prompted }: Group,
  results: Results,
  signal: AbortSignal,
): Promise<Prompted[]> {
  // Inside the server a grammar consists of characters, so parts of characters fail.
  if (!call.state.tokenGrammar || tokens.some(({ isWhole }) => !isWhole)) return [...prompted];
  const settings = {
    grammar: `root ::= ${tokens.map(({ id }) => `<[${id}]>`).join(' ')}`,
    n_predict: tokens.length,
    n_probs: call.listed,
  };
  const prompts = prompted.map(({ prompt }) => prompt);
  const completions = await call.completions.of(prompts, settings, signal).catch((error) => {
    const refused = grammarRefused(error);
    if (refused === undefined) throw error;
    if (refused === 'never') call.state.tokenGrammar = false;
    return [];
  });
  return prompted.filter(({ index, prompt }, at) => {
    const completion = completions[at];
    if (completion === undefined) return true;
    const answer = untruncated(completion, prompt.length + tokens.length);
    if ('failure' in answer) {
      results[index] = answer;
      return false;
    }
    const reported = answer.completion_probabilities
      .slice(0, tokens.length)
      .map((token) => ({ token, listed: token.top_logprobs }));
    // Tokens of a draft model are reported as certain, without the probabilities of other tokens.
    if (reported.some(({ listed }) => listed.length === 0)) call.state.tokenGrammar = false;
    const isReported = tokens.every(
      ({ id }, at) => reported[at]?.token.id === id && reported[at].listed.length > 0,
    );
    if (isReported) results[index] = scoredText(texts, reported, call.topLogprobs);
    return !isReported;
  });
}

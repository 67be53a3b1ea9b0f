import type { LlamaCall } from './call.js';
import { grammarRefused } from './completions.js';
import { type Group, type Prompted, type Results, reliable, scoredText } from './forced.js';

/**
 * Has all tokens taken at once: a grammar lets the server go on with nothing else.
 *
 * @returns the requests that it could not be asked so, or did not answer.
 */
export async function byGrammar(
  call: LlamaCall,
  { tokens, texts, prompted }: Group,
  results: Results,
  signal: AbortSignal,
): Promise<Prompted[]> {
  // Underneath, a grammar is one of characters, and stumbles over parts of them.
  if (!call.memory.tokenGrammar || tokens.some(({ isWhole }) => !isWhole)) return [...prompted];
  const settings = {
    grammar: `root ::= ${tokens.map(({ id }) => `<[${id}]>`).join(' ')}`,
    n_predict: tokens.length,
    n_probs: call.listed,
  };
  const prompts = prompted.map(({ prompt }) => prompt);
  const completions = await call.completions.of(prompts, settings, signal).catch((error) => {
    const refused = grammarRefused(error);
    if (refused === undefined) throw error;
    if (refused === 'never') call.memory.tokenGrammar = false;
    return [];
  });
  return prompted.filter(({ place, prompt }, index) => {
    const completion = completions[index];
    if (completion === undefined) return true;
    const answer = reliable(completion, prompt.length + tokens.length);
    if ('failure' in answer) {
      results[place] = answer;
      return false;
    }
    const told = answer.completion_probabilities
      .slice(0, tokens.length)
      .map((token) => ({ token, listed: token.top_logprobs }));
    // What another model drafted comes as certain, without the probabilities of others.
    if (told.some(({ listed }) => listed.length === 0)) call.memory.tokenGrammar = false;
    const isTold = tokens.every(({ id }, at) => told[at]?.token.id === id && told[at].listed.length > 0);
    if (isTold) results[place] = scoredText(texts, told, call.topLogprobs);
    return !isTold;
  });
}

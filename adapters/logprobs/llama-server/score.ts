/**
 * How probable a text is after another. The server does not tell that of a prompt, but of what it goes on
 * with, and it can be made to go on with given tokens. What it tells is the softmax over the whole vocabulary,
 * as it is before anything is forced:
 *
 *   ln P(a | prompt) = Σ ln P(t_i | prompt, t_1 … t_i−1),  t_1 t_2 … = a
 */

import type { ScoreRequest } from '../../../src/index.js';
import { continuationStart } from '../continuation-start.js';
import type { LlamaCall } from './call.js';
import type { Group, Prompted, Results } from './forced.js';
import { byGrammar } from './grammar.js';
import { tokenByToken } from './stepping.js';
import { type Token, type Tokenised, textsOf, tokensFrom } from './tokens.js';

export async function score(call: LlamaCall, requests: readonly ScoreRequest[]): Promise<Results> {
  const results: Results = requests.map(() => ({ tokens: [], logprob: 0, exact: true }));
  const groups = await groupsOf(call, requests, results);
  await call.each(groups, async (group, signal) => {
    const left = await byGrammar(call, group, results, signal);
    if (left.length > 0) await tokenByToken(call, group, left, results, signal);
  });
  return results;
}

/** In the order of their first requests. Requests without any tokens to come are in none. */
async function groupsOf(
  call: LlamaCall,
  requests: readonly ScoreRequest[],
  results: Results,
): Promise<Group[]> {
  const texts = requests
    .filter(({ continuation }) => continuation !== '')
    .flatMap(({ prompt, continuation }) => [prompt, prompt + continuation]);
  const tokensOf = await call.tokenise(texts);
  const groups = new Map<string, ReturnType<typeof groupOf>>();
  for (const [place, { prompt, continuation }] of requests.entries()) {
    if (continuation === '') continue;
    const before = tokensOf.get(prompt) as Tokenised;
    const all = tokensOf.get(prompt + continuation) as Tokenised;
    // The end of the prompt and the beginning of the continuation may make one token.
    const start = continuationStart(all.ids, before.ids);
    if (start === -1) continue;
    if (start === 0) {
      results[place] = { failure: 'The model cannot tell how probable the first token of a text is.' };
      continue;
    }
    const key = all.ids.slice(start).join();
    const group = groups.get(key) ?? groupOf(tokensFrom(all, start));
    group.prompted.push({ place, prompt: all.ids.slice(0, start) });
    groups.set(key, group);
  }
  return [...groups.values()];
}

function groupOf(tokens: readonly Token[]): Group & { prompted: Prompted[] } {
  return { tokens, texts: textsOf(tokens.map(({ bytes }) => bytes)), prompted: [] };
}

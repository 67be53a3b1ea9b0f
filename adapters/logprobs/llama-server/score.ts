/**
 * The probability of a text after another. The server does not report the probabilities of a prompt, only those of
 * generated tokens, and a request can force it to generate given tokens. The reported probability is the softmax over
 * the whole vocabulary, before anything is forced:
 *
 *   ln P(a | prompt) = Σ ln P(t_i | prompt, t_1 … t_i−1),  t_1 t_2 … = a
 */

import type { ScoreRequest } from '../../../src/index.js';
import { continuationStart } from '../../model-calls/index.js';
import type { ServerCall } from './call.js';
import { forceByBias } from './force-by-bias.js';
import { forceByGrammar } from './force-by-grammar.js';
import type { Group, Prompted, Results } from './forced-tokens.js';
import { type Token, type TokenizedText, textsOf, tokensFrom } from './tokens.js';

export async function score(call: ServerCall, requests: readonly ScoreRequest[]): Promise<Results> {
  const results: Results = requests.map(() => ({ tokens: [], logprob: 0, exact: true }));
  const groups = await groupsOf(call, requests, results);
  await call.each(groups, async (group, signal) => {
    const left = await forceByGrammar(call, group, results, signal);
    if (left.length > 0) await forceByBias(call, group, left, results, signal);
  });
  return results;
}

/** In the order of their first requests. Requests whose continuation has no tokens are in no group. */
async function groupsOf(
  call: ServerCall,
  requests: readonly ScoreRequest[],
  results: Results,
): Promise<Group[]> {
  const texts = requests
    .filter(({ continuation }) => continuation !== '')
    .flatMap(({ prompt, continuation }) => [prompt, prompt + continuation]);
  const tokensOf = await call.tokenizeAll(texts);
  const groups = new Map<string, ReturnType<typeof groupOf>>();
  for (const [index, { prompt, continuation }] of requests.entries()) {
    if (continuation === '') continue;
    const before = tokensOf.get(prompt) as TokenizedText;
    const all = tokensOf.get(prompt + continuation) as TokenizedText;
    const start = continuationStart(all.ids, before.ids);
    if (start === -1) continue;
    if (start === 0) {
      results[index] = { failure: 'The model gives no probability for the first token of a text.' };
      continue;
    }
    const key = all.ids.slice(start).join();
    const group = groups.get(key) ?? groupOf(tokensFrom(all, start));
    group.prompted.push({ index, prompt: all.ids.slice(0, start) });
    groups.set(key, group);
  }
  return [...groups.values()];
}

function groupOf(tokens: readonly Token[]): Group & { prompted: Prompted[] } {
  return { tokens, texts: textsOf(tokens.map(({ bytes }) => bytes)), prompted: [] };
}

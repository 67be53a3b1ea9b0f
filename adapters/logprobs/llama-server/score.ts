/**
 * The probability of a text after another. The server does not report the probabilities of a prompt, only those of
 * generated tokens, and a request can force it to generate given tokens. The reported probability is the softmax over
 * the whole vocabulary, before anything is forced:
 *
 *   ln P(a | prompt) = Σ ln P(t_i | prompt, t_1 … t_i−1),  t_1 t_2 … = a
 */

import type { ScoreRequest } from '../../../src/index.js';
import type { ServerCall } from './call.js';
import { force, type Group, type Prompted, type Results } from './force.js';
import { promptTokens } from './prompts.js';
import { type Token, textsOf } from './tokens.js';

export async function score(call: ServerCall, requests: readonly ScoreRequest[]): Promise<Results> {
  const results: Results = requests.map(() => ({ tokens: [], logprob: 0, exact: true }));
  const groups = await groupsOf(call, requests, results);
  await call.each(groups, (group, signal) => force(call, group, results, signal));
  return results;
}

/** In the order of their first requests. Requests whose continuation has no tokens are in no group. */
async function groupsOf(
  call: ServerCall,
  requests: readonly ScoreRequest[],
  results: Results,
): Promise<Group[]> {
  const asked = [...requests.entries()].filter(([, { continuation }]) => continuation !== '');
  const split = await promptTokens(
    call,
    asked.map(([, request]) => request),
  );
  const tokens = await call.tokensOf(split.flatMap(({ continuation }) => continuation));
  const groups = new Map<string, ReturnType<typeof groupOf>>();
  for (const [at, { prompt, continuation }] of split.entries()) {
    const [index] = asked[at] as (typeof asked)[number];
    if (continuation.length === 0) continue;
    if (prompt.length === 0) {
      results[index] = { failure: 'The model gives no probability for the first token of a text.' };
      continue;
    }
    const key = continuation.join();
    const group = groups.get(key) ?? groupOf(continuation.map((id) => tokens.get(id) as Token));
    group.prompted.push({ index, prompt });
    groups.set(key, group);
  }
  return [...groups.values()];
}

function groupOf(tokens: readonly Token[]): Group & { prompted: Prompted[] } {
  return { tokens, texts: textsOf(tokens.map(({ bytes }) => bytes)), prompted: [] };
}

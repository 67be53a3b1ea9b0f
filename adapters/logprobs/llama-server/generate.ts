import type { Failed, GeneratedText, GenerateRequest } from '../../../src/index.js';
import type { Completion } from './answers.js';
import type { LlamaCall } from './call.js';
import { type Draft, draftOf, fillIn, generatedText } from './drafts.js';
import { type Prompted, reliable } from './forced.js';
import type { Tokenised } from './tokens.js';

/** Requests of the same limits. */
interface Group {
  maxTokens: number;
  stop: readonly string[];
  prompted: Prompted[];
}

type Results = (GeneratedText | Failed)[];

export async function generate(call: LlamaCall, requests: readonly GenerateRequest[]): Promise<Results> {
  const results: Results = requests.map(() => ({ text: '', tokens: [] }));
  const groups = await groupsOf(call, requests, results);
  await call.each(groups, async ({ maxTokens, stop, prompted }, signal) => {
    // What else the server samples by, such as penalties, would make it other than the most probable.
    const settings = { n_predict: maxTokens, n_probs: call.listed, samplers: ['temperature'], stop };
    const prompts = prompted.map(({ prompt }) => prompt);
    const completions = await call.completions.of(prompts, settings, signal);
    const drafts: Draft[] = [];
    for (const [index, { place, prompt }] of prompted.entries()) {
      const answer = reliable(completions[index] as Completion | Failed, prompt.length + maxTokens);
      if ('failure' in answer) results[place] = answer;
      else drafts.push(draftOf(call, place, prompt, answer));
    }
    await fillIn(call, drafts, signal);
    for (const draft of drafts) results[draft.place] = generatedText(call, draft);
  });
  return results;
}

async function groupsOf(
  call: LlamaCall,
  requests: readonly GenerateRequest[],
  results: Results,
): Promise<Group[]> {
  const tokensOf = await call.tokenise(requests.map(({ prompt }) => prompt));
  const groups = new Map<string, Group>();
  for (const [place, { prompt, maxTokens, stop = [] }] of requests.entries()) {
    if (maxTokens < 1) continue;
    const { ids } = tokensOf.get(prompt) as Tokenised;
    if (ids.length === 0) {
      results[place] = { failure: 'The model cannot tell how a text begins.' };
      continue;
    }
    const stops = stop.filter((text) => text !== '');
    const key = JSON.stringify([maxTokens, stops]);
    const group = groups.get(key) ?? { maxTokens, stop: stops, prompted: [] };
    group.prompted.push({ place, prompt: ids });
    groups.set(key, group);
  }
  return [...groups.values()];
}

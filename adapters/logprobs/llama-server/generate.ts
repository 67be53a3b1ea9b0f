/** Generates texts, and completes the probabilities that the server leaves out. */
import type { Failed, GeneratedText, GenerateRequest } from '../../../src/index.js';
import type { Completion } from './answers.js';
import type { ServerCall } from './call.js';
import { forcing, type Prompted, type ReportedToken, topOf, untruncated } from './force.js';
import { type PromptTokens, promptTokens } from './prompts.js';
import { textsOf } from './tokens.js';

/** Requests with the same limits. */
interface Group {
  maxTokens: number;
  stop: readonly string[];
  prompted: Prompted[];
}

type Results = (GeneratedText | Failed)[];

export async function generate(call: ServerCall, requests: readonly GenerateRequest[]): Promise<Results> {
  const results: Results = requests.map(() => ({ text: '', tokens: [] }));
  const groups = await groupsOf(call, requests, results);
  await call.each(groups, async ({ maxTokens, stop, prompted }, signal) => {
    // Other samplers, such as penalties, would choose other tokens than the most probable ones.
    const settings = { n_predict: maxTokens, n_probs: call.listed, samplers: ['temperature'], stop };
    const prompts = prompted.map(({ prompt }) => prompt);
    const completions = await call.complete(prompts, settings, signal);
    const drafts: Draft[] = [];
    for (const [at, each] of prompted.entries()) {
      const answer = untruncated(completions[at] as Completion | Failed, each.prompt.length + maxTokens);
      if ('failure' in answer) results[each.index] = answer;
      else drafts.push(draftOf(call, each, answer));
    }
    await fillIn(call, drafts, signal);
    for (const draft of drafts) results[draft.index] = generatedText(call, draft);
  });
  return results;
}

async function groupsOf(
  call: ServerCall,
  requests: readonly GenerateRequest[],
  results: Results,
): Promise<Group[]> {
  const tokens = await promptTokens(call, requests);
  const groups = new Map<string, Group>();
  for (const [index, { maxTokens, stop = [] }] of requests.entries()) {
    if (maxTokens < 1) continue;
    const { prompt } = tokens[index] as PromptTokens;
    if (prompt.length === 0) {
      results[index] = { failure: 'The prompt is empty, and the model has no token that begins a text.' };
      continue;
    }
    const stops = stop.filter((text) => text !== '');
    const key = JSON.stringify([maxTokens, stops]);
    const group = groups.get(key) ?? { maxTokens, stop: stops, prompted: [] };
    group.prompted.push({ index, prompt });
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** A generated text. The server may not have reported the probabilities of all its tokens. */
interface Draft extends Prompted {
  text: string;
  /** One of the stop texts ended it. */
  isStopped: boolean;
  /** All generated tokens, without the one that ends every text. */
  ids: readonly number[];
  /** The first of these tokens, or all of them. */
  reported: ReportedToken[];
  failure?: Failed;
}

/**
 * How many tokens to list to find one that was the most probable token. More than one, since others may be equally
 * probable.
 */
const FEW = 10;

function draftOf(
  call: ServerCall,
  prompted: Prompted,
  { content, tokens, stop_type, completion_probabilities }: Completion,
): Draft {
  if (content === undefined || tokens === undefined || stop_type === undefined) {
    const is = 'does not report the generated text and why it ended';
    throw call.server.endpoint().malformed(stop_type, is);
  }
  const ids = stop_type === 'eos' ? tokens.slice(0, -1) : tokens;
  // The server reports no token that ends inside a character, and leaves out as many tokens as the stop text has.
  const isReported = (id: number, at: number) => {
    const token = completion_probabilities[at];
    return token?.id === id && token.top_logprobs.length > 0;
  };
  const unreported = ids.findIndex((id, at) => !isReported(id, at));
  const reported = completion_probabilities
    .slice(0, unreported === -1 ? ids.length : unreported)
    .map((token) => ({ token, listed: token.top_logprobs }));
  return { ...prompted, text: content, isStopped: stop_type === 'word', ids, reported };
}

/** Requests the missing probabilities of all drafts at once, by forcing a letter at each missing position. */
async function fillIn(call: ServerCall, drafts: readonly Draft[], signal: AbortSignal): Promise<void> {
  const gaps = drafts
    .filter((draft) => !draft.isStopped || textOf(draft).length < draft.text.length)
    .flatMap((draft) =>
      draft.ids
        .slice(draft.reported.length)
        .map((id, nth) => ({ draft, id, at: draft.reported.length + nth })),
    );
  if (gaps.length === 0) return;
  const prompts = gaps.map(({ draft, at }) => [...draft.prompt, ...draft.ids.slice(0, at)]);
  const settings = { ...forcing(call.letter), n_probs: Math.max(FEW, call.listed) };
  const completions = await call.complete(prompts, settings, signal);
  for (const [nth, { draft, id }] of gaps.entries()) {
    const answer = untruncated(completions[nth] as Completion | Failed, (prompts[nth] as number[]).length);
    if ('failure' in answer) draft.failure ??= answer;
    else {
      const listed = answer.completion_probabilities[0]?.top_logprobs ?? [];
      const token = listed.find((each) => each.id === id);
      if (token === undefined) {
        throw call.server.endpoint().malformed(id, 'generated a token that is not among the most probable');
      }
      draft.reported.push({ token, listed });
    }
  }
}

/** The text with the tokens that begin before its end. */
function generatedText(call: ServerCall, draft: Draft): GeneratedText | Failed {
  if (draft.failure !== undefined) return draft.failure;
  const texts = textsOf(draft.reported.map(bytesOf));
  let start = 0;
  const tokens = draft.reported.flatMap(({ token, listed }, at) => {
    const text = texts[at] as string;
    const isPart = !draft.isStopped || start < draft.text.length;
    start += text.length;
    const { id, logprob } = token;
    return isPart ? [{ text, id, logprob, ...topOf(listed, call.topLogprobs) }] : [];
  });
  return { text: draft.text, tokens };
}

const textOf = ({ reported }: Draft) => textsOf(reported.map(bytesOf)).join('');

/**
 * The bytes of the token alone. The entry of a generated token also has the bytes that the server held back before it;
 * the entry of the same token among the listed ones does not.
 */
const bytesOf = ({ token, listed }: ReportedToken) =>
  Uint8Array.from((listed.find(({ id }) => id === token.id) ?? token).bytes);

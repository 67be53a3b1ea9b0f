/** Texts that the server went on with, of which it does not tell how probable all tokens are. */
import type { Failed, GeneratedText } from '../../../src/index.js';
import { type Completion, notAsTold } from './answers.js';
import type { LlamaCall } from './call.js';
import { reliable, type Told, topOf } from './forced.js';
import { forcing } from './stepping.js';
import { textsOf } from './tokens.js';

export interface Draft {
  /** Of the request. */
  place: number;
  prompt: readonly number[];
  text: string;
  /** Was it ended by one of the texts that end it? */
  isStopped: boolean;
  /** All that were taken, without the one that ends every text. */
  ids: readonly number[];
  /** Of the first of them, or of all. */
  told: Told[];
  failure?: Failed;
}

/** Among so many is one that was the most probable; more than one, for others may be as probable. */
const FEW = 10;

export function draftOf(
  call: LlamaCall,
  place: number,
  prompt: readonly number[],
  { content, tokens, stop_type, completion_probabilities }: Completion,
): Draft {
  if (content === undefined || tokens === undefined || stop_type === undefined) {
    throw notAsTold(call.service, stop_type, 'does not tell what it went on with, and why it ended');
  }
  const ids = stop_type === 'eos' ? tokens.slice(0, -1) : tokens;
  // Of tokens that end inside a character nothing is told, nor of as many as the text that ends it has.
  const isTold = (id: number, at: number) => {
    const token = completion_probabilities[at];
    return token?.id === id && token.top_logprobs.length > 0;
  };
  const untold = ids.findIndex((id, at) => !isTold(id, at));
  const told = completion_probabilities
    .slice(0, untold === -1 ? ids.length : untold)
    .map((token) => ({ token, listed: token.top_logprobs }));
  return { place, prompt, text: content, isStopped: stop_type === 'word', ids, told };
}

/** Asks for what was not told, of all drafts at once: a letter is forced, to see what was probable there. */
export async function fillIn(call: LlamaCall, drafts: readonly Draft[], signal: AbortSignal): Promise<void> {
  const gaps = drafts
    .filter((draft) => !draft.isStopped || textOf(draft).length < draft.text.length)
    .flatMap((draft) =>
      draft.ids.slice(draft.told.length).map((id, at) => ({ draft, id, at: draft.told.length + at })),
    );
  if (gaps.length === 0) return;
  const prompts = gaps.map(({ draft, at }) => [...draft.prompt, ...draft.ids.slice(0, at)]);
  const settings = { ...forcing(await call.letter(signal)), n_probs: Math.max(FEW, call.listed) };
  const completions = await call.completions.of(prompts, settings, signal);
  for (const [index, { draft, id }] of gaps.entries()) {
    const answer = reliable(completions[index] as Completion | Failed, (prompts[index] as number[]).length);
    if ('failure' in answer) draft.failure ??= answer;
    else {
      const listed = answer.completion_probabilities[0]?.top_logprobs ?? [];
      const token = listed.find((each) => each.id === id);
      if (token === undefined) throw notAsTold(call.service, id, 'goes on with a token that is not probable');
      draft.told.push({ token, listed });
    }
  }
}

/** The tokens that begin before the end of the text. */
export function generatedText(call: LlamaCall, draft: Draft): GeneratedText | Failed {
  if (draft.failure !== undefined) return draft.failure;
  const texts = textsOf(draft.told.map(piece));
  let start = 0;
  const tokens = draft.told.flatMap(({ token, listed }, at) => {
    const text = texts[at] as string;
    const isPart = !draft.isStopped || start < draft.text.length;
    start += text.length;
    const { id, logprob } = token;
    return isPart ? [{ text, id, logprob, ...topOf(listed, call.topLogprobs) }] : [];
  });
  return { text: draft.text, tokens };
}

const textOf = ({ told }: Draft) => textsOf(told.map(piece)).join('');

/** Its own bytes: with a token that was told itself come those that were held back before it. */
const piece = ({ token, listed }: Told) =>
  Uint8Array.from((listed.find(({ id }) => id === token.id) ?? token).bytes);

/** What servers with the completions of OpenAI answer, in one form. */
import type { GeneratedText, TokenProbability } from '../../../src/index.js';
import { checked, type Source } from '../checked.js';
import { wrongShape } from '../json-service.js';
import type { EchoedToken, Place } from './alignment.js';
import { alternatives, type Choice, completion, listedTokens, promptLogprobs } from './shapes.js';

/** The choices in the order of the prompts, and what they cost. */
export function readCompletion(body: unknown, prompts: number, source: Source) {
  const { choices, usage } = checked(completion, body, source);
  const ordered = choices.toSorted((a, b) => a.index - b.index);
  if (ordered.length !== prompts || ordered.some(({ index }, place) => index !== place)) {
    const indexes = choices.map(({ index }) => index).join(', ');
    throw notAsAsked(indexes, `does not answer each of ${prompts} prompts once`, source);
  }
  return {
    choices: ordered,
    tokens: usage?.prompt_tokens ?? undefined,
    cachedTokens: usage?.prompt_tokens_details?.cached_tokens ?? undefined,
  };
}

/** The tokens of the prompt and those generated; nothing, if the prompt was not echoed. */
export function readEchoed(choice: Choice, prompt: string, source: Source): Place[] | undefined {
  const places = placesOf(choice, source);
  const first = places?.[0]?.candidates[0];
  // Of what is generated every token has a probability: something stands before the first.
  return first?.logprob === null || choice.text.includes(prompt) ? places : undefined;
}

/** The tokens of the prompt; nothing, if the service did not tell. */
export function readPromptLogprobs(choice: Choice, _prompt: string, source: Source): Place[] | undefined {
  const { index, prompt_logprobs, prompt_token_ids: ids } = choice;
  if (prompt_logprobs === undefined || prompt_logprobs === null) return undefined;
  const entries = checked(promptLogprobs, prompt_logprobs, source, `.choices[${index}].prompt_logprobs`);
  if (ids && ids.length !== entries.length) {
    throw notAsAsked(entries.length, `tells prompt_logprobs of other than its ${ids.length} tokens`, source);
  }
  return entries.map((entry, place) => {
    const tokens = Object.entries(entry ?? {}).map(([id, { logprob, decoded_token }]) => ({
      text: decoded_token ?? '',
      id: Number(id),
      logprob,
    }));
    const standing = ids ? tokens.filter(({ id }) => id === ids[place]) : tokens;
    const unknown: EchoedToken[] = [{ text: '', logprob: null }];
    return { candidates: standing.length === 0 ? unknown : standing, top: () => bestFirst(tokens) };
  });
}

/** A text and its tokens. */
export function readGenerated(choice: Choice, topLogprobs: number, source: Source): GeneratedText {
  const places = placesOf(choice, source);
  if (places === undefined) throw notAsAsked(choice.logprobs, 'tells no tokens with a text', source);
  const tokens = places.map(({ candidates: [token], top }) => {
    const { text, logprob } = token as EchoedToken;
    if (logprob === null) throw notAsAsked(text, 'tells no probability of a token', source);
    return { text, logprob, ...told(top, topLogprobs) };
  });
  return { text: choice.text, tokens: tokens.slice(0, tokensWithin(choice, tokens)) };
}

/** The most probable tokens at a place, if they are wanted and told. */
export function told(top: Place['top'], topLogprobs: number): { top?: TokenProbability[] } {
  const wanted = topLogprobs > 0 ? top().slice(0, topLogprobs) : [];
  return wanted.length > 0 ? { top: wanted } : {};
}

/** What ends a text is listed as well, and is no part of it. */
function tokensWithin({ text, finish_reason }: Choice, tokens: readonly { text: string }[]): number {
  let read = '';
  for (const [place, token] of tokens.entries()) {
    if (read.length >= text.length && read.startsWith(text)) return place;
    read += token.text;
  }
  const last = tokens.at(-1)?.text ?? '';
  const endsInAToken = finish_reason === 'stop' && !read.startsWith(text) && !text.endsWith(last);
  return tokens.length - (endsInAToken ? 1 : 0);
}

/** Are the tokens named by their numbers alone (`token_id:17`)? */
export function areNumbers(places: readonly Place[]): boolean {
  return places.every(({ candidates }) => candidates.every(({ text }) => /^token_id:\d+$/.test(text)));
}

function placesOf({ index, logprobs }: Choice, source: Source): Place[] | undefined {
  if (typeof logprobs !== 'object' || logprobs === null || !('tokens' in logprobs)) return undefined;
  const at = `.choices[${index}].logprobs`;
  const { tokens, token_logprobs, top_logprobs } = checked(listedTokens, logprobs, source, at);
  if (token_logprobs.length !== tokens.length || (top_logprobs ?? tokens).length !== tokens.length) {
    throw notAsAsked(
      token_logprobs.length,
      `tells logprobs of other than its ${tokens.length} tokens`,
      source,
    );
  }
  return tokens.map((text, place) => ({
    candidates: [{ text, logprob: token_logprobs[place] ?? null }],
    top: () => {
      const entry = top_logprobs?.[place] ?? null;
      const listed = checked(alternatives, entry, source, `${at}.top_logprobs[${place}]`);
      return bestFirst(Object.entries(listed ?? {}).map(([text, logprob]) => ({ text, logprob })));
    },
  }));
}

/** Ties in the order of the texts: an object does not keep that of the service. */
function bestFirst<T extends TokenProbability>(tokens: readonly T[]): T[] {
  return tokens.toSorted((a, b) => b.logprob - a.logprob || (a.text < b.text ? -1 : 1));
}

function notAsAsked(value: unknown, is: string, { name, remedy }: Source) {
  return wrongShape(name, value, is, remedy);
}

/** What the server tells of tokens that it was made to take. */
import type { Failed, ScoredText, TokenProbability } from '../../../src/index.js';
import { isExact } from '../logprob.js';
import type { Completion, Probability } from './answers.js';
import { tooLong } from './completions.js';
import type { Token } from './tokens.js';

/** Requests with the same tokens to come. */
export interface Group {
  tokens: readonly Token[];
  /** What each of them adds to the text. */
  texts: readonly string[];
  prompted: readonly Prompted[];
}

export interface Prompted {
  /** Of the request. */
  place: number;
  prompt: readonly number[];
}

/** Of each request, by its place. */
export type Results = (ScoredText | Failed)[];

/** A token at its place, and what else was probable there. */
export interface Told {
  token: Probability;
  listed: readonly Probability[];
}

/** An answer to rely on: where the context is full, it ends early, or the server forgets how the text began. */
export function reliable(completion: Completion | Failed, length: number): Completion | Failed {
  return 'truncated' in completion && completion.truncated ? tooLong(length) : completion;
}

/** @param bound of the token after those that were told, if there is no telling: at most this probable. */
export function scoredText(
  texts: readonly string[],
  told: readonly Told[],
  topLogprobs: number,
  bound?: number,
): ScoredText {
  return {
    tokens: told.map(({ token: { id, logprob }, listed }, place) => ({
      text: texts[place] as string,
      id,
      logprob,
      ...topOf(listed, topLogprobs),
    })),
    logprob: told.reduce((sum, { token }) => sum + token.logprob, bound ?? 0),
    exact: bound === undefined && told.every(({ token }) => isExact(token.logprob)),
  };
}

/** The most probable tokens, as many as are wanted: absent if none are. */
export function topOf(listed: readonly Probability[], wanted: number): { top?: TokenProbability[] } {
  if (wanted === 0) return {};
  const best = listed.slice(0, wanted);
  return { top: best.map(({ token, id, logprob }) => ({ text: token, id, logprob })) };
}

/** The probabilities that the server reports for tokens that a request forced. */
import type { Failed, ScoredText, TokenProbability } from '../../../src/index.js';
import { isExact } from '../logprob.js';
import type { Completion, Probability } from './answers.js';
import { tooLong } from './completions.js';
import type { Token } from './tokens.js';

/** Requests whose continuations have the same tokens. */
export interface Group {
  tokens: readonly Token[];
  /** The text that each token adds. */
  texts: readonly string[];
  prompted: readonly Prompted[];
}

export interface Prompted {
  /** The index of the request in the call. */
  index: number;
  prompt: readonly number[];
}

/** One result per request, in the order of the requests. */
export type Results = (ScoredText | Failed)[];

/** A token as reported, with the most probable tokens at its position. */
export interface ReportedToken {
  token: Probability;
  listed: readonly Probability[];
}

/** Fails a completion that was truncated: with a full context the server ends early, or drops the start of the text. */
export function untruncated(completion: Completion | Failed, length: number): Completion | Failed {
  return 'truncated' in completion && completion.truncated ? tooLong(length) : completion;
}

/** @param bound an upper bound for the next token, if the server does not report that token. */
export function scoredText(
  texts: readonly string[],
  reported: readonly ReportedToken[],
  topLogprobs: number,
  bound?: number,
): ScoredText {
  return {
    tokens: reported.map(({ token: { id, logprob }, listed }, index) => ({
      text: texts[index] as string,
      id,
      logprob,
      ...topOf(listed, topLogprobs),
    })),
    logprob: reported.reduce((sum, { token }) => sum + token.logprob, bound ?? 0),
    exact: bound === undefined && reported.every(({ token }) => isExact(token.logprob)),
  };
}

/** The requested number of most probable tokens; absent if none were requested. */
export function topOf(listed: readonly Probability[], wanted: number): { top?: TokenProbability[] } {
  if (wanted === 0) return {};
  const best = listed.slice(0, wanted);
  return { top: best.map(({ token, id, logprob }) => ({ text: token, id, logprob })) };
}

/**
 * Forces a server to generate given tokens, and reads their probabilities. A grammar forces all tokens with one request.
 * If the server cannot force or report them this way, a bias forces one token per request: on old servers, if
 * another model drafts tokens, and for parts of characters. The bias alone would do, but each of its requests computes
 * most prompts again: 1.9 to 3.7 times the tokens in our measurement.
 */
import type { Failed, ScoredText, TokenProbability } from '../../../src/index.js';
import { isExact } from '../logprob.js';
import type { Completion, Probability } from './answers.js';
import { grammarRefused, type ServerCall, tooLong } from './call.js';
import { endsInsideCharacter, type Token } from './tokens.js';

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

/** Writes a result for each request of the group. */
export async function force(
  call: ServerCall,
  group: Group,
  results: Results,
  signal: AbortSignal,
): Promise<void> {
  const left = await byGrammar(call, group, results, signal);
  if (left.length > 0) await byBias(call, { ...group, prompted: left }, results, signal);
}

/**
 * Forces all tokens with one request: a grammar allows the server no other tokens.
 *
 * @returns the requests that the server could not force this way, or did not answer.
 */
async function byGrammar(
  call: ServerCall,
  { tokens, texts, prompted }: Group,
  results: Results,
  signal: AbortSignal,
): Promise<Prompted[]> {
  // Inside the server a grammar consists of characters, so parts of characters fail.
  if (!call.state.tokenGrammar || tokens.some(({ isWhole }) => !isWhole)) return [...prompted];
  const settings = {
    grammar: `root ::= ${tokens.map(({ id }) => `<[${id}]>`).join(' ')}`,
    n_predict: tokens.length,
    n_probs: call.listed,
  };
  const prompts = prompted.map(({ prompt }) => prompt);
  const completions = await call.complete(prompts, settings, signal).catch((error) => {
    const refused = grammarRefused(error);
    if (refused === undefined) throw error;
    if (refused === 'never') call.state.tokenGrammar = false;
    return [];
  });
  return prompted.filter(({ index, prompt }, at) => {
    const completion = completions[at];
    if (completion === undefined) return true;
    const answer = untruncated(completion, prompt.length + tokens.length);
    if ('failure' in answer) {
      results[index] = answer;
      return false;
    }
    const reported = answer.completion_probabilities
      .slice(0, tokens.length)
      .map((token) => ({ token, listed: token.top_logprobs }));
    // Tokens of a draft model are reported as certain, without the probabilities of other tokens.
    if (reported.some(({ listed }) => listed.length === 0)) call.state.tokenGrammar = false;
    const isReported = tokens.every(
      ({ id }, at) => reported[at]?.token.id === id && reported[at].listed.length > 0,
    );
    if (isReported) results[index] = scoredText(texts, reported, call.topLogprobs);
    return !isReported;
  });
}

/** Added to the logit of a token to force it: more than the difference between any two logits of a model. */
const SURE = 1000;
/** How many tokens to list where one of them must be found. */
const MANY = 1000;

/** Settings that force a token by a bias. The bias does not change the reported probabilities. */
export const forcing = (id: number): { n_predict: number; logit_bias: [number, number][] } => ({
  n_predict: 1,
  logit_bias: [[id, SURE]],
});

/**
 * Forces one token per request, each after all prompts at once.
 *
 * The server does not report a token that ends inside a character. At its position a letter is forced instead, and the
 * token is looked up among the most probable ones. If it is not listed, it is at most as probable as the last listed
 * token. Later tokens have at most the probability 1, so the score up to here is an upper bound for the text.
 */
async function byBias(
  call: ServerCall,
  { tokens, texts, prompted }: Group,
  results: Results,
  signal: AbortSignal,
): Promise<void> {
  const hidden = tokens.map(({ bytes }) => endsInsideCharacter(bytes));
  const letter = hidden.includes(true) ? call.letter : undefined;
  let open = prompted.map((each) => ({ ...each, reported: [] as ReportedToken[] }));
  for (const [at, { id }] of tokens.entries()) {
    const forced = hidden[at] ? (letter as number) : id;
    const before = tokens.slice(0, at).map((token) => token.id);
    const prompts = open.map(({ prompt }) => [...prompt, ...before]);
    const settings = { ...forcing(forced), n_probs: hidden[at] ? Math.max(MANY, call.listed) : call.listed };
    const completions = prompts.length > 0 ? await call.complete(prompts, settings, signal) : [];
    open = open.filter(({ index, prompt, reported }, nth) => {
      const completion = completions[nth] as (typeof completions)[number];
      const answer = untruncated(completion, prompt.length + tokens.length);
      if ('failure' in answer) {
        results[index] = answer;
        return false;
      }
      const first = answer.completion_probabilities[0];
      if (first?.id !== forced || first.top_logprobs.length === 0) {
        const is = `does not report the probability of the token ${forced}, which the request forces`;
        throw call.server.endpoint().malformed(first?.id, is);
      }
      const listed = first.top_logprobs;
      const token = hidden[at] ? listed.find((each) => each.id === id) : first;
      if (token !== undefined) return reported.push({ token, listed });
      const { logprob: bound } = listed.at(-1) as Probability;
      results[index] = scoredText(texts, reported, call.topLogprobs, bound);
      return false;
    });
  }
  for (const { index, reported } of open) results[index] = scoredText(texts, reported, call.topLogprobs);
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

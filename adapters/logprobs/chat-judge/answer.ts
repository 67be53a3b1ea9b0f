/** Reads a yes or no, or the probability of yes, from the reply of a chat model. */
import type { Failed, Judgement } from '../../../src/index.js';
import { type ChatAnswer, THOUGHT, textOf } from '../../model-calls/index.js';
import { objectIn } from '../chat-calls.js';
import { ROUNDING } from '../logprob.js';

/** A token as OpenAI documents it; other services may send other values. */
interface TokenEntry {
  token: string;
  logprob?: unknown;
  top_logprobs?: unknown;
}

const SHOWN_CHARACTERS = 80;

/**
 * Uses the log-probabilities of the message if it has them, else its text: 1 or 0. Never throws, for any reply of the
 * model.
 */
export function judgementOf(answer: ChatAnswer | null | undefined): Judgement | Failed {
  const text = textOf(answer);
  const yes = probabilityIn(afterThought(entriesOf(answer))) ?? verdictIn(text);
  const shown = JSON.stringify(text.slice(0, SHOWN_CHARACTERS));
  return yes === undefined ? { failure: `The model replied ${shown}, neither yes nor no.` } : { yes };
}

/** P(yes) / (P(yes) + P(no)) at the first word, over all spellings; nothing, if that word is neither yes nor no. */
function probabilityIn(entries: readonly TokenEntry[]): number | undefined {
  const first = entries.find(({ token }) => fold(token) !== '');
  if (first === undefined || !hasLogprob(first) || !/^(yes|no)$/.test(fold(first.token))) return undefined;
  const all = [first, ...tokensIn(first.top_logprobs).filter(hasLogprob)];
  // A map by token: the chosen token is listed among the most probable ones, too.
  const known = new Map(all.map(({ token, logprob }) => [token, logprob]));
  const mass = (word: string) =>
    [...known].reduce((sum, [each, its]) => sum + (fold(each) === word ? Math.exp(its) : 0), 0);
  const both = mass('yes') + mass('no');
  // Some services write -9999 where they report no probability.
  return both > 0 ? mass('yes') / both : undefined;
}

const hasLogprob = (entry: TokenEntry): entry is TokenEntry & { logprob: number } =>
  typeof entry.logprob === 'number' && entry.logprob <= ROUNDING;

/** Reads the first word of the text, or of the field `answer` if the text has a JSON object. */
function verdictIn(text: string): number | undefined {
  const word = fold(/^\P{L}*\p{L}+/u.exec(answerInJson(text) ?? text)?.[0] ?? '');
  return word === 'yes' ? 1 : word === 'no' ? 0 : undefined;
}

function answerInJson(text: string): string | undefined {
  const { answer } = (objectIn(text) ?? {}) as { answer?: unknown };
  return typeof answer === 'string' ? answer : undefined;
}

const fold = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

function entriesOf(answer: ChatAnswer | null | undefined): readonly TokenEntry[] {
  const { content } = (answer?.response_metadata?.logprobs ?? {}) as { content?: unknown };
  return tokensIn(content);
}

function tokensIn(entries: unknown): readonly TokenEntry[] {
  return Array.isArray(entries) ? entries.filter((entry) => typeof entry?.token === 'string') : [];
}

function afterThought(entries: readonly TokenEntry[]): readonly TokenEntry[] {
  let left = THOUGHT.exec(entries.map(({ token }) => token).join(''))?.[0].length ?? 0;
  return entries.filter(({ token }) => {
    const isAfter = left <= 0;
    left -= token.length;
    return isAfter;
  });
}

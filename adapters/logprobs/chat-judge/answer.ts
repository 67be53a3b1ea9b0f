import type { Failed, Judgement } from '../../../src/index.js';

/** What is used of a LangChain message. */
export interface ChatAnswer {
  /** A text, or blocks some of which have a text. */
  content: unknown;
  response_metadata?: Record<string, unknown>;
  usage_metadata?: { total_tokens: number } | undefined;
}

/** As OpenAI tells them; what comes may be something else. */
interface Place {
  token: string;
  logprob?: unknown;
  top_logprobs?: unknown;
}

const SHOWN_CHARACTERS = 80;
/** What a logarithm of a probability of 1 may be above 0 by rounding. */
const ROUNDING = 1e-3;
/** What some models write down before they reply. */
const THOUGHT = /^\s*<think>.*?<\/think>/s;

/** By log-probabilities, if the message has them, else by its text: then 1 or 0. Whatever comes, it is judged. */
export function judgementOf(answer: ChatAnswer | null | undefined): Judgement | Failed {
  const text = textOf(answer?.content).replace(THOUGHT, '');
  const yes = probabilityIn(afterThought(placesOf(answer))) ?? verdictIn(text);
  const shown = JSON.stringify(text.slice(0, SHOWN_CHARACTERS));
  return yes === undefined ? { failure: `The model replied ${shown}, neither yes nor no.` } : { yes };
}

/** P(yes) / (P(yes) + P(no)) at the first word, over all ways to write them; nothing, if that is neither. */
function probabilityIn(places: readonly Place[]): number | undefined {
  const first = places.find(({ token }) => fold(token) !== '');
  if (first === undefined || !isTold(first) || !/^(yes|no)$/.test(fold(first.token))) return undefined;
  const all = [first, ...tokensIn(first.top_logprobs).filter(isTold)];
  // By token, for the one that was chosen is among the most probable as well.
  const known = new Map(all.map(({ token, logprob }) => [token, logprob]));
  const mass = (word: string) =>
    [...known].reduce((sum, [each, its]) => sum + (fold(each) === word ? Math.exp(its) : 0), 0);
  const both = mass('yes') + mass('no');
  // Some services write -9999 for what they do not tell.
  return both > 0 ? mass('yes') / both : undefined;
}

const isTold = (place: Place): place is Place & { logprob: number } =>
  typeof place.logprob === 'number' && place.logprob <= ROUNDING;

/** By the first word, or that which an object of JSON has as its answer. */
function verdictIn(text: string): number | undefined {
  const word = fold(/^\P{L}*\p{L}+/u.exec(answerInJson(text) ?? text)?.[0] ?? '');
  return word === 'yes' ? 1 : word === 'no' ? 0 : undefined;
}

function answerInJson(text: string): string | undefined {
  try {
    const { answer } = JSON.parse(/\{.*\}/s.exec(text)?.[0] ?? '{}') as { answer?: unknown };
    return typeof answer === 'string' ? answer : undefined;
  } catch {
    return undefined;
  }
}

const fold = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

function placesOf(answer: ChatAnswer | null | undefined): readonly Place[] {
  const { content } = (answer?.response_metadata?.logprobs ?? {}) as { content?: unknown };
  return tokensIn(content);
}

function tokensIn(places: unknown): readonly Place[] {
  return Array.isArray(places) ? places.filter((place) => typeof place?.token === 'string') : [];
}

function afterThought(places: readonly Place[]): readonly Place[] {
  let left = THOUGHT.exec(places.map(({ token }) => token).join(''))?.[0].length ?? 0;
  return places.filter(({ token }) => {
    const isAfter = left <= 0;
    left -= token.length;
    return isAfter;
  });
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const blocks = Array.isArray(content) ? content : [];
  return blocks
    .map((block: { text?: unknown }) => (typeof block?.text === 'string' ? block.text : ''))
    .join('');
}

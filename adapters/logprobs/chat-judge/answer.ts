import type { Failed, Judgement } from '../../../src/index.js';

/** What is used of a LangChain message. */
export interface ChatAnswer {
  /** A text, or blocks some of which have a text. */
  content: unknown;
  response_metadata?: Record<string, unknown>;
  usage_metadata?: { total_tokens: number } | undefined;
}

/** As OpenAI tells them. */
interface Place {
  token: string;
  logprob: number;
  top_logprobs?: readonly { token: string; logprob: number }[];
}

const SHOWN_CHARACTERS = 80;

/** By log-probabilities, if the message has them, else by its text: then 1 or 0. */
export function judgementOf(answer: ChatAnswer): Judgement | Failed {
  const text = textOf(answer.content);
  const yes = probabilityIn(placesOf(answer)) ?? verdictIn(text);
  const shown = JSON.stringify(text.slice(0, SHOWN_CHARACTERS));
  return yes === undefined ? { failure: `The model replied ${shown}, neither yes nor no.` } : { yes };
}

/** P(yes) / (P(yes) + P(no)) at the first word, over all ways to write them; nothing, if that is neither. */
function probabilityIn(places: readonly Place[]): number | undefined {
  const first = places.find(({ token }) => fold(token) !== '');
  if (first === undefined || !/^(yes|no)$/.test(fold(first.token))) return undefined;
  const { token, logprob, top_logprobs = [] } = first;
  // By token, for the one that was chosen is among the most probable as well.
  const known = new Map([[token, logprob], ...top_logprobs.map((top) => [top.token, top.logprob] as const)]);
  const mass = (word: string) =>
    [...known].reduce((sum, [each, its]) => sum + (fold(each) === word ? Math.exp(its) : 0), 0);
  const both = mass('yes') + mass('no');
  // Some services write -9999 for what they do not tell.
  return both > 0 ? mass('yes') / both : undefined;
}

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

function placesOf({ response_metadata }: ChatAnswer): readonly Place[] {
  const { content } = (response_metadata?.logprobs ?? {}) as { content?: unknown };
  return Array.isArray(content) ? content.filter((place) => typeof place?.token === 'string') : [];
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const blocks = Array.isArray(content) ? content : [];
  return blocks
    .map((block: { text?: unknown }) => (typeof block?.text === 'string' ? block.text : ''))
    .join('');
}

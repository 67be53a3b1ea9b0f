/**
 * A language model, a judge and a reranker without weights. They compare the words that texts share. With n distinct words in the
 * prompt before its last `Question:`,
 *
 *   P(word) = .99 / n       for each of these words
 *           = .01 / 10,000  for any other; 1 / 10,000 where n = 0
 *
 * independent of the words before it, and P(text) is the product over its words. Case and punctuation are ignored.
 */
import type {
  Failed,
  GenerateRequest,
  Judge,
  JudgeRequest,
  LogprobModel,
  Reranker,
  ScoredToken,
  ScoreRequest,
} from '../../src/index.js';

const KNOWN = 0.99;
const OTHER_WORDS = 10_000;

export interface FakeModelOptions {
  /**
   * How calls fail. `'throw'`: every call rejects. `'failure'`: every second request of a call has no answer. `'hang'`: no
   * call ends before it is aborted. Default: calls succeed.
   */
  fail?: 'throw' | 'failure' | 'hang' | undefined;
}

/** A language model that records its requests. */
export interface FakeLogprobModel extends LogprobModel {
  /** The requests of each call, oldest first. */
  readonly calls: readonly (
    | { readonly method: 'score'; readonly requests: readonly ScoreRequest[] }
    | { readonly method: 'generate'; readonly requests: readonly GenerateRequest[] }
  )[];
}

/** A judge that records its requests. */
export interface FakeJudge extends Judge {
  /** The requests of each call, oldest first. */
  readonly calls: readonly (readonly JudgeRequest[])[];
}

/** A reranker that records its calls. */
export interface FakeReranker extends Reranker {
  /** The calls, oldest first. */
  readonly calls: readonly { readonly query: string; readonly texts: readonly string[] }[];
}

/**
 * A language model that gives an answer a higher probability, the more of its words are in the prompt before the question.
 * It continues with the words of the last line before the question that are not in the question.
 */
export function fakeLogprobModel(options: FakeModelOptions = {}): FakeLogprobModel {
  const calls: FakeLogprobModel['calls'][number][] = [];
  return {
    specificationVersion: 'v1',
    provider: 'context-shaping',
    modelId: 'fake-model',
    calls,
    async identify({ signal } = {}) {
      await asTold(options, signal);
      return 'fake';
    },
    async score(requests, { topLogprobs = 0, signal } = {}) {
      calls.push({ method: 'score', requests: structuredClone(requests) });
      await asTold(options, signal);
      const results = requests.map(({ prompt, continuation }) => {
        const tokens = tokensOf(continuation, prompt, topLogprobs);
        return { tokens, logprob: tokens.reduce((sum, { logprob }) => sum + logprob, 0), exact: true };
      });
      return answers(options, results, wordsIn(requests.map((each) => each.prompt + each.continuation)));
    },
    async generate(requests, { topLogprobs = 0, signal } = {}) {
      calls.push({ method: 'generate', requests: structuredClone(requests) });
      await asTold(options, signal);
      const results = requests.map(({ prompt, maxTokens, stop = [] }) => {
        const { line, question } = partsOf(prompt);
        const asked = new Set(wordsOf(question).map(fold));
        const fresh = wordsOf(line).filter((word) => !asked.has(fold(word)));
        const whole = fresh
          .slice(0, maxTokens)
          .map((word) => ` ${word}`)
          .join('');
        const ends = stop.map((each) => whole.indexOf(each)).filter((place) => place >= 0);
        const text = whole.slice(0, Math.min(whole.length, ...ends));
        return { text, tokens: tokensOf(text, prompt, topLogprobs) };
      });
      return answers(options, results, wordsIn(requests.map(({ prompt }) => prompt)));
    },
  };
}

/** A judge whose probability of yes is the share of the answer's words, else of the question's words, in the passage. */
export function fakeJudge(options: FakeModelOptions = {}): FakeJudge {
  const calls: (readonly JudgeRequest[])[] = [];
  return {
    specificationVersion: 'v1',
    provider: 'context-shaping',
    modelId: 'fake-judge',
    calls,
    async identify({ signal } = {}) {
      await asTold(options, signal);
      return 'fake';
    },
    async judge(requests, { signal } = {}) {
      calls.push(structuredClone(requests));
      await asTold(options, signal);
      const results = requests.map(({ question, passage, answer = question }) => ({
        yes: shareOfWords(answer, passage),
      }));
      return answers(options, results, wordsIn(requests.map(({ passage }) => passage)));
    },
  };
}

/** A reranker whose scores are probabilities: the share of the query's words in the text. */
export function fakeReranker(options: FakeModelOptions = {}): FakeReranker {
  const calls: FakeReranker['calls'][number][] = [];
  return {
    specificationVersion: 'v1',
    provider: 'context-shaping',
    modelId: 'fake-reranker',
    calls,
    async identify({ signal } = {}) {
      await asTold(options, signal);
      return 'fake';
    },
    async rerank(query, texts, { signal } = {}) {
      if (texts.length > 0) calls.push({ query, texts: [...texts] });
      await asTold(options, signal);
      const scores = texts.map((text) => shareOfWords(query, text));
      const { results, usage } = answers(options, scores, wordsIn(texts));
      return {
        scores: results,
        scale: 'probability',
        usage: { ...usage, requests: Math.min(1, texts.length) },
      };
    },
  };
}

/** The share of the distinct words of one text that are in another. */
export function shareOfWords(text: string, other: string): number {
  const wanted = [...new Set(wordsOf(text).map(fold))];
  const has = new Set(wordsOf(other).map(fold));
  return wanted.filter((word) => has.has(word)).length / Math.max(1, wanted.length);
}

/** Fails as the options say. */
export async function asTold({ fail }: FakeModelOptions, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  if (fail === 'throw') throw new Error('The fake fails as configured.');
  if (fail !== 'hang') return;
  await new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** The results, and failures among them if the options say so. */
export function answers<T>({ fail }: FakeModelOptions, results: readonly T[], tokens: number) {
  const failed: Failed = { failure: 'The fake fails as configured.' };
  return {
    results: results.map((result, place) => (fail === 'failure' && place % 2 === 1 ? failed : result)),
    usage: { requests: results.length, tokens },
  };
}

function partsOf(prompt: string): { before: string; line: string; question: string } {
  const place = prompt.lastIndexOf('Question:');
  const before = place === -1 ? prompt : prompt.slice(0, place);
  return {
    before,
    line: before.trimEnd().split('\n').at(-1) as string,
    question: place === -1 ? '' : prompt.slice(place),
  };
}

/** One token for each word, with the white space before it. */
function tokensOf(text: string, prompt: string, topLogprobs: number): ScoredToken[] {
  const known = new Map(wordsOf(partsOf(prompt).before).map((word) => [fold(word), word]));
  const ofKnown = Math.log(KNOWN / known.size);
  const ofOther = Math.log((known.size === 0 ? 1 : 1 - KNOWN) / OTHER_WORDS);
  const top = [...known.values()]
    .slice(0, topLogprobs)
    .map((word) => ({ text: ` ${word}`, logprob: ofKnown }));
  return Array.from(text.matchAll(/\s*\S+|\s+$/g), ([token]) => ({
    text: token,
    logprob: known.has(fold(token)) ? ofKnown : ofOther,
    ...(topLogprobs > 0 ? { top } : {}),
  }));
}

const wordsOf = (text: string) => text.match(/\S+/g)?.filter((word) => fold(word) !== '') ?? [];
const fold = (word: string) => word.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
export const wordsIn = (texts: readonly string[]) =>
  texts.reduce((sum, text) => sum + wordsOf(text).length, 0);

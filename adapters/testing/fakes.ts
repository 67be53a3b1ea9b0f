/** Fakes of the ports, without weights or services: they compare the words that texts share. */
import type {
  Embedder,
  Failed,
  Judge,
  JudgeRequest,
  LogprobModel,
  Reranker,
  ScoreRequest,
  TokenProbability,
} from '../../src/index.js';

type Call = { signal?: AbortSignal | undefined };

export interface FakeModelOptions {
  /**
   * How calls fail. `'throw'`: every call rejects. `'failure'`: every second request of a call has no answer. `'hang'`: no
   * call ends before it is aborted. Default: calls succeed.
   */
  fail?: 'throw' | 'failure' | 'hang' | undefined;
}

/** The parts that the fakes of models share; `calls` are the requests of each call, oldest first. */
function fake<Request>(name: string, options: FakeModelOptions) {
  const calls: Request[] = [];
  return {
    identity: {
      specificationVersion: 'v1' as const,
      provider: 'context-shaping',
      modelId: `fake-${name}`,
      calls: calls as readonly Request[],
      async identify({ signal }: Call = {}) {
        await asTold(options, signal);
        return 'fake';
      },
    },
    /** Records a call, and fails as the options say. */
    async asked(request: Request, signal: AbortSignal | undefined): Promise<void> {
      calls.push(structuredClone(request));
      await asTold(options, signal);
    },
    /** The results, and failures among them if the options say so. The usage counts the words of the texts. */
    answers<T>(results: readonly T[], texts: readonly string[]) {
      const failed: Failed = { failure: 'The fake fails as configured.' };
      const isFailed = (place: number) => options.fail === 'failure' && place % 2 === 1;
      return {
        results: results.map((result, place) => (isFailed(place) ? failed : result)),
        usage: { requests: results.length, tokens: texts.flatMap(wordsOf).length },
      };
    },
  };
}

async function asTold({ fail }: FakeModelOptions, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  if (fail === 'throw') throw new Error('The fake fails as configured.');
  if (fail !== 'hang') return;
  await new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** A language model that records its requests. */
export interface FakeLogprobModel extends LogprobModel {
  /** The requests of each call, oldest first. */
  readonly calls: readonly (
    | { readonly method: 'score'; readonly requests: readonly ScoreRequest[] }
    | { readonly method: 'nextTokens'; readonly prompts: readonly string[] }
  )[];
}

const KNOWN = 0.99;
const OTHER_WORDS = 10_000;
const LISTED = 20;

/**
 * A language model that gives an answer a higher probability, the more of its words are in the prompt before the question.
 * The most probable next tokens are the first 20 of these words. With n distinct words in
 * the prompt before its last `Question:`,
 *
 *   P(word) = .99 / n       for each of these words
 *           = .01 / 10,000  for any other; 1 / 10,000 where n = 0
 *
 * independent of the words before it, and P(text) is the product over its words. Case and punctuation are ignored.
 */
export function fakeLogprobModel(options: FakeModelOptions = {}): FakeLogprobModel {
  const { identity, asked, answers } = fake<FakeLogprobModel['calls'][number]>('model', options);
  return {
    ...identity,
    async score(requests, { signal } = {}) {
      await asked({ method: 'score', requests }, signal);
      const results = requests.map(({ prompt, continuation }) => {
        const tokens = tokensOf(continuation, prompt);
        return { tokens, logprob: tokens.reduce((sum, { logprob }) => sum + logprob, 0), exact: true };
      });
      return answers(
        results,
        requests.map((each) => each.prompt + each.continuation),
      );
    },
    async nextTokens(prompts, { signal } = {}) {
      await asked({ method: 'nextTokens', prompts }, signal);
      const results = prompts.map((prompt) => {
        const { known, ofKnown } = vocabularyOf(prompt);
        return [...known.values()].slice(0, LISTED).map((word) => ({ text: ` ${word}`, logprob: ofKnown }));
      });
      return answers(results, prompts);
    },
  };
}

/** A judge that records its requests. */
export interface FakeJudge extends Judge {
  /** The requests of each call, oldest first. */
  readonly calls: readonly (readonly JudgeRequest[])[];
}

/** A judge whose probability of yes is the share of the answer's words, else of the question's words, in the passage. */
export function fakeJudge(options: FakeModelOptions = {}): FakeJudge {
  const { identity, asked, answers } = fake<readonly JudgeRequest[]>('judge', options);
  return {
    ...identity,
    async judge(requests, { signal } = {}) {
      await asked(requests, signal);
      return answers(
        requests.map(({ question, passage, answer = question }) => ({ yes: shareOfWords(answer, passage) })),
        requests.map(({ passage }) => passage),
      );
    },
  };
}

/** A reranker that records its calls. */
export interface FakeReranker extends Reranker {
  /** The calls, oldest first. */
  readonly calls: readonly { readonly query: string; readonly texts: readonly string[] }[];
}

/** A reranker whose scores are probabilities: the share of the query's words in the text. */
export function fakeReranker(options: FakeModelOptions = {}): FakeReranker {
  const { identity, asked, answers } = fake<FakeReranker['calls'][number]>('reranker', options);
  return {
    ...identity,
    async rerank(query, texts, { signal } = {}) {
      if (texts.length > 0) await asked({ query, texts }, signal);
      const scored = texts.map((text) => shareOfWords(query, text));
      const { results: scores, usage } = answers(scored, texts);
      return { scores, scale: 'probability', usage: { ...usage, requests: Math.min(1, texts.length) } };
    },
  };
}

export interface FakeEmbedderOptions {
  /** Length of the vectors. Default 64. */
  dimensions?: number;
}

/** An embedder that records the texts of its calls. */
export interface FakeEmbedder extends Embedder {
  /** The texts of each call, oldest first. */
  readonly calls: readonly (readonly string[])[];
}

/**
 * An embedder without a model: each word adds to one coordinate, chosen by a hash of the word. Texts that
 * share words are close, the same text always gets the same vector, and a text without words gets zeros.
 */
export function fakeEmbedder({ dimensions = 64 }: FakeEmbedderOptions = {}): FakeEmbedder {
  const calls: string[][] = [];
  return {
    specificationVersion: 'v1',
    provider: 'context-shaping',
    modelId: `fake-embedder-${dimensions}`,
    calls,
    async embed(texts, { signal }) {
      signal?.throwIfAborted();
      calls.push([...texts]);
      return texts.map((text) => {
        const vector = new Array<number>(dimensions).fill(0);
        for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
          const at = hash(word) % dimensions;
          vector[at] = (vector[at] ?? 0) + 1;
        }
        return vector;
      });
    },
  };
}

/** FNV-1a, 32 bits. */
function hash(word: string): number {
  let state = 0x811c9dc5;
  for (const character of word) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return state >>> 0;
}

/** The share of the distinct words of one text that are in another. */
function shareOfWords(text: string, other: string): number {
  const wanted = [...new Set(wordsOf(text).map(fold))];
  const has = new Set(wordsOf(other).map(fold));
  return wanted.filter((word) => has.has(word)).length / Math.max(1, wanted.length);
}

/** The distinct words before the last question of a prompt, and the log-probability of each. */
function vocabularyOf(prompt: string): { known: ReadonlyMap<string, string>; ofKnown: number } {
  const place = prompt.lastIndexOf('Question:');
  const before = place === -1 ? prompt : prompt.slice(0, place);
  const known = new Map(wordsOf(before).map((word) => [fold(word), word]));
  return { known, ofKnown: Math.log(KNOWN / known.size) };
}

/** One token for each word, with the white space before it. */
function tokensOf(text: string, prompt: string): TokenProbability[] {
  const { known, ofKnown } = vocabularyOf(prompt);
  const ofOther = Math.log((known.size === 0 ? 1 : 1 - KNOWN) / OTHER_WORDS);
  return Array.from(text.matchAll(/\s*\S+|\s+$/g), ([token]) => ({
    text: token,
    logprob: known.has(fold(token)) ? ofKnown : ofOther,
  }));
}

const wordsOf = (text: string) => text.match(/\S+/g)?.filter((word) => fold(word) !== '') ?? [];
const fold = (word: string) => word.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();

/** Models whose every probability is known. */
import {
  type Answers,
  type Chunk,
  createShaper,
  type Judge,
  type JudgeRequest,
  type LogprobModel,
  type ModelCall,
  type Query,
  type ScoreRequest,
  type ShapingOptions,
} from 'context-shaping';
import { chunk } from '../support.js';

/** Counts words as tokens. */
export const words = (text: string) => text.split(/\s+/).filter((word) => word !== '').length;

/** Nothing is merged, a token is a word, and tokens cost nothing unless said otherwise. */
export function shapedWith(
  ecs: Exclude<NonNullable<ShapingOptions['ecs']>, false>,
  chunks: readonly (string | Chunk)[],
  query: Query,
  options: ShapingOptions = {},
) {
  const shaper = createShaper({
    tokenizer: words,
    ranked: false,
    exactDedup: false,
    semanticDedup: false,
    errorMessages: true,
    ...options,
    ecs: { trust: 'always', lengthPenalty: 0, ...ecs },
  });
  return shaper.shape({
    query,
    chunks: chunks.map((each, place) => (typeof each === 'string' ? chunk(`${place}`, each) : each)),
  });
}

export interface KnownModel extends LogprobModel {
  /** The requests of each call to `score`, oldest first. */
  readonly scored: ScoreRequest[][];
}

/**
 * @param probability of a continuation, without its leading space, after the context's lines and the question.
 */
export function knownModel(
  probability: (context: readonly string[], answer: string, question: string) => number,
  name = 'known',
): KnownModel {
  const scored: ScoreRequest[][] = [];
  return {
    scored,
    identify: async () => name,
    async score(requests) {
      scored.push([...requests]);
      const results = requests.map(({ prompt, continuation }) => {
        const { context, question } = read(prompt);
        const logprob = Math.log(probability(context, continuation.trim(), question));
        return { tokens: [{ text: continuation, logprob }], logprob, exact: true };
      });
      return { results, usage: { requests: 1, tokens: 10 * requests.length, cachedTokens: 4 } };
    },
    nextTokens: async (prompts) => ({ results: prompts.map(() => []), usage: { requests: 1 } }),
  };
}

/** Takes the default prompt apart. */
export function read(prompt: string): { context: string[]; question: string } {
  const { context = '', question = '' } =
    /^(?:Context:\n(?<context>[\s\S]*?)\n\n)?Question: (?<question>[\s\S]*)\nAnswer:$/.exec(prompt)?.groups ??
    {};
  return { context: context === '' ? [] : context.split('\n'), question };
}

/** The same model, with faults. */
export function brokenModel(
  model: LogprobModel,
  answer: (whole: Answers<object>, call: ModelCall | undefined) => unknown,
): LogprobModel {
  return {
    identify: (call) => model.identify(call),
    score: async (requests, call) => (await answer(await model.score(requests, call), call)) as never,
    nextTokens: async (prompts, call) => (await answer(await model.nextTokens(prompts, call), call)) as never,
  };
}

export function knownJudge(
  yes: (request: JudgeRequest) => number | string,
): Judge & { asked: JudgeRequest[] } {
  const asked: JudgeRequest[] = [];
  return {
    asked,
    identify: async () => 'known judge',
    async judge(requests) {
      asked.push(...requests);
      const results = requests.map((request) => {
        const found = yes(request);
        return typeof found === 'string' ? { failure: found } : { yes: found };
      });
      return { results, usage: { requests: requests.length } };
    },
  };
}

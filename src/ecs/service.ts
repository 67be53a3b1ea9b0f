/** Asks models and judges, checks what they answer, and adds up what it costs. */

import { ContextShapingError } from '../errors.js';
import type {
  Answers,
  Failed,
  GeneratedText,
  GenerateRequest,
  Judge,
  Judgement,
  JudgeRequest,
  LogprobModel,
  ModelUsage,
  ScoredText,
  ScoreRequest,
} from '../ports.js';
import { orAborted } from '../runtime/abort.js';

export class Service {
  readonly #sums = { requests: 0, tokens: 0, cachedTokens: 0 };
  /** What some call did not tell is not known of all of them. */
  readonly #untold = new Set<keyof ModelUsage>();

  /** @param callersSignal aborts the whole call; `signal` does so too, and when the time for services is up. */
  constructor(
    readonly signal: AbortSignal | undefined,
    readonly callersSignal: AbortSignal | undefined,
  ) {}

  get usage(): ModelUsage {
    const told = Object.entries(this.#sums).filter(([key]) => !this.#untold.has(key as keyof ModelUsage));
    return { requests: 0, ...Object.fromEntries(this.#sums.requests === 0 ? [] : told) };
  }

  score(model: LogprobModel, requests: readonly ScoreRequest[], topLogprobs = 0) {
    const call = { topLogprobs, ...this.#call() };
    return this.#ask('score', requests, (copy) => model.score(copy, call), isScored);
  }

  generate(model: LogprobModel, requests: readonly GenerateRequest[], topLogprobs = 0) {
    const call = { topLogprobs, ...this.#call() };
    return this.#ask('generate', requests, (copy) => model.generate(copy, call), isGenerated);
  }

  judge(judge: Judge, requests: readonly JudgeRequest[]) {
    return this.#ask('judge', requests, (copy) => judge.judge(copy, this.#call()), isJudgement);
  }

  /** What a model or judge says it is. Asked anew each time: behind an address there can be another one by now. */
  async identify(asked: LogprobModel | Judge): Promise<string> {
    this.signal?.throwIfAborted();
    const name: unknown = await orAborted(asked.identify(this.#call()), this.signal);
    if (typeof name !== 'string' || name === '') throw malformed('identify', name, 'must be a name');
    return name;
  }

  #call() {
    return this.signal === undefined ? {} : { signal: this.signal };
  }

  async #ask<Request extends object, T>(
    method: string,
    requests: readonly Request[],
    ask: (copy: readonly Request[]) => Promise<Answers<T>>,
    isRight: (result: T) => boolean,
  ): Promise<(T | Failed)[]> {
    if (requests.length === 0) return [];
    this.signal?.throwIfAborted();
    const answers: unknown = await orAborted(ask(Object.freeze([...requests])), this.signal);
    const { results, usage } = (answers ?? {}) as Partial<Answers<T>>;
    if (!Array.isArray(results) || results.length !== requests.length) {
      const value = Array.isArray(results) ? results.length : results;
      throw malformed(`${method}: results`, value, `must be ${requests.length} results`);
    }
    this.#add(usage);
    for (const [place, result] of results.entries()) {
      if (!isFailed(result) && !isRight(result)) {
        throw malformed(`${method}: results[${place}]`, result, 'is not as the port says');
      }
    }
    return results;
  }

  #add(usage: Partial<ModelUsage> | undefined): void {
    for (const key of ['requests', 'tokens', 'cachedTokens'] as const) {
      const value = usage?.[key];
      if (value === undefined) {
        this.#untold.add(key);
        continue;
      }
      if (!Number.isFinite(value) || value < 0) throw malformed(`usage.${key}`, value, 'must be a count');
      this.#sums[key] += value;
    }
  }
}

export function isFailed(result: object): result is Failed {
  return typeof (result as Partial<Failed> | null)?.failure === 'string';
}

/** Sums of many small numbers: a hair above 0 is rounding. */
const isLogprob = (value: unknown) => Number.isFinite(value) && (value as number) <= 1e-6;
const isScored = (result: ScoredText) =>
  isLogprob(result?.logprob) && typeof result.exact === 'boolean' && areTokens(result.tokens);
const isGenerated = (result: GeneratedText) => typeof result?.text === 'string' && areTokens(result.tokens);
const isJudgement = (result: Judgement) => result?.yes >= 0 && result.yes <= 1;
const areTokens = (tokens: ScoredText['tokens']) =>
  Array.isArray(tokens) &&
  tokens.every((token) => [token, ...(token?.top ?? [])].every((each) => isLogprob(each?.logprob)));

function malformed(field: string, value: unknown, is: string): ContextShapingError {
  return new ContextShapingError('service', {
    field,
    value,
    is,
    remedy: 'Correct the model or judge that ecs was given.',
  });
}

/** No result at all: the first failure stands for all. */
export function allFailed(failures: readonly Failed[]): ContextShapingError {
  return new ContextShapingError('service', {
    field: 'ecs',
    value: `${failures.length} failures`,
    is: 'got no result for any passage',
    remedy: failures[0]?.failure ?? '',
  });
}

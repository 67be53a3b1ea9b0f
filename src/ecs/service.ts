/** Calls models and judges, checks their answers, and sums their usage. */

import { ContextShapingError, type Telling } from '../errors.js';
import type {
  Answers,
  Failed,
  Judge,
  Judgement,
  JudgeRequest,
  LogprobModel,
  ScoredText,
  ScoreRequest,
  TokenProbability,
} from '../ports.js';
import { orAborted } from '../runtime/abort.js';
import type { ModelUsage } from '../types.js';

/** Wraps the models and judges of one call of a stage. */
export class Service {
  readonly #sums = { requests: 0, tokens: 0, cachedTokens: 0 };
  /** Figures that at least one call did not report. Their sums are unknown. */
  readonly #untold = new Set<keyof ModelUsage>();

  /**
   * @param signal aborts requests: on the caller's abort, and when the deadline of the services has passed.
   * @param callersSignal the caller's own signal, which aborts the whole call.
   * @param tell says why requests failed.
   * @param remedy of errors about malformed answers.
   */
  constructor(
    readonly signal: AbortSignal | undefined,
    readonly callersSignal: AbortSignal | undefined,
    readonly tell: Telling,
    readonly remedy = 'Correct the model or judge in the options of ecs.',
  ) {}

  get usage(): ModelUsage {
    const told = Object.entries(this.#sums).filter(([key]) => !this.#untold.has(key as keyof ModelUsage));
    return { requests: 0, ...Object.fromEntries(this.#sums.requests === 0 ? [] : told) };
  }

  score(model: LogprobModel, requests: readonly ScoreRequest[]) {
    return this.#ask('score', requests, (copy) => model.score(copy, this.#call()), isScored);
  }

  nextTokens(model: LogprobModel, prompts: readonly string[]) {
    return this.#ask('nextTokens', prompts, (copy) => model.nextTokens(copy, this.#call()), areTokens);
  }

  judge(judge: Judge, requests: readonly JudgeRequest[]) {
    return this.#ask('judge', requests, (copy) => judge.judge(copy, this.#call()), isJudgement);
  }

  /**
   * Returns the identity that a service reports. Each call asks again, because another model may have replaced it
   * behind the same address.
   *
   * @throws ContextShapingError `service`, if the identity is not a string, or is empty.
   */
  async identify(asked: LogprobModel | Judge): Promise<string> {
    this.signal?.throwIfAborted();
    const name: unknown = await orAborted(asked.identify(this.#call()), this.signal);
    if (typeof name !== 'string' || name === '')
      throw this.#malformed('identify', name, 'must be a non-empty string');
    return name;
  }

  #call() {
    return this.signal === undefined ? {} : { signal: this.signal };
  }

  async #ask<Request, T extends object>(
    method: string,
    requests: readonly Request[],
    ask: (copy: readonly Request[]) => Promise<Answers<T>>,
    isRight: (result: T, request: Request) => boolean,
  ): Promise<(T | Failed)[]> {
    if (requests.length === 0) return [];
    this.signal?.throwIfAborted();
    const answers: unknown = await orAborted(ask(Object.freeze([...requests])), this.signal);
    const { results, usage } = (answers ?? {}) as Partial<Answers<T>>;
    if (!Array.isArray(results) || results.length !== requests.length) {
      const value = Array.isArray(results) ? results.length : results;
      throw this.#malformed(`${method}: results`, value, `must be ${requests.length} results`);
    }
    this.#add(usage);
    const told: (T | Failed)[] = [];
    for (const [place, result] of results.entries()) {
      if (isFailed(result)) told.push({ failure: this.tell(result) });
      else if (isRight(result, requests[place] as Request)) told.push(result);
      else {
        throw this.#malformed(
          `${method}: results[${place}]`,
          result,
          'does not have the form that the port requires',
        );
      }
    }
    return told;
  }

  #add(usage: Partial<ModelUsage> | undefined): void {
    for (const key of ['requests', 'tokens', 'cachedTokens'] as const) {
      const value = usage?.[key];
      if (value === undefined) {
        this.#untold.add(key);
        continue;
      }
      if (!Number.isFinite(value) || value < 0)
        throw this.#malformed(`usage.${key}`, value, 'must be a count');
      this.#sums[key] += value;
    }
  }

  #malformed(field: string, value: unknown, is: string): ContextShapingError {
    return new ContextShapingError('service', { field, value, is, remedy: this.remedy });
  }
}

/** Returns whether a result is a failure. */
export function isFailed(result: object): result is Failed {
  return typeof (result as Partial<Failed> | null)?.failure === 'string';
}

/** A log-probability is at most 0, but a sum of many may exceed 0 by rounding. */
const isLogprob = (value: unknown) => Number.isFinite(value) && (value as number) <= 1e-6;
const isScored = (result: ScoredText) =>
  isLogprob(result?.logprob) && typeof result.exact === 'boolean' && areTokens(result.tokens);
const isJudgement = (result: Judgement) => result?.yes >= 0 && result.yes <= 1;
const areTokens = (tokens: readonly TokenProbability[]) =>
  Array.isArray(tokens) && tokens.every((token) => isLogprob(token?.logprob));

/** Creates the error for the case that the text that all comparisons need was not scored without a passage. */
export function noBaseline(
  what: 'answer' | 'question',
  { failure }: Partial<Failed> = {},
): ContextShapingError {
  return new ContextShapingError('service', {
    field: 'ecs.model',
    value: failure,
    is: `did not score the ${what} without a passage, which is the baseline of all comparisons`,
    remedy: 'Shorten the question, or give the model a larger context.',
  });
}

/** Creates the error for the case that every request failed. It has the first failure as its remedy. */
export function allFailed(failures: readonly Failed[], field = 'ecs'): ContextShapingError {
  return new ContextShapingError('service', {
    field,
    value: `${failures.length} failures`,
    is: 'got no result for any passage',
    remedy: failures[0]?.failure ?? '',
  });
}

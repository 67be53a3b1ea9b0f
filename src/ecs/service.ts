/** Asks models and judges, checks what they answer, and adds up what it costs. */
import { orAborted } from '../abort.js';
import { ContextShapingError, messageOf } from '../errors.js';
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

export class Service {
  readonly usage: ModelUsage = { requests: 0 };

  /** @param callersSignal aborts the whole call; `signal` does so too, and when the time for services is up. */
  constructor(
    readonly signal: AbortSignal | undefined,
    readonly callersSignal: AbortSignal | undefined,
  ) {}

  score(model: LogprobModel, requests: readonly ScoreRequest[], topLogprobs = 0) {
    const call = { topLogprobs, ...this.#call() };
    return this.#ask('score', requests, () => model.score(requests, call), isScored);
  }

  generate(model: LogprobModel, requests: readonly GenerateRequest[], topLogprobs = 0) {
    const call = { topLogprobs, ...this.#call() };
    return this.#ask('generate', requests, () => model.generate(requests, call), isGenerated);
  }

  judge(judge: Judge, requests: readonly JudgeRequest[]) {
    return this.#ask('judge', requests, () => judge.judge(requests, this.#call()), isJudgement);
  }

  /** What a model or judge says it is. Asked once for each object. */
  async identify(asked: LogprobModel | Judge): Promise<string> {
    const known = IDENTITIES.get(asked);
    if (known !== undefined) return known;
    this.signal?.throwIfAborted();
    const name: unknown = await orAborted(asked.identify(this.#call()), this.signal);
    if (typeof name !== 'string' || name === '') throw malformed('identify', name, 'must be a name');
    IDENTITIES.set(asked, name);
    return name;
  }

  #call() {
    return this.signal === undefined ? {} : { signal: this.signal };
  }

  async #ask<T>(
    method: string,
    requests: readonly object[],
    ask: () => Promise<Answers<T>>,
    isRight: (result: T) => boolean,
  ): Promise<(T | Failed)[]> {
    if (requests.length === 0) return [];
    this.signal?.throwIfAborted();
    const answers: unknown = await orAborted(ask(), this.signal);
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
      if (value === undefined) continue;
      if (!Number.isFinite(value) || value < 0) throw malformed(`usage.${key}`, value, 'must be a count');
      this.usage[key] = (this.usage[key] ?? 0) + value;
    }
  }
}

const IDENTITIES = new WeakMap<LogprobModel | Judge, string>();

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
    value: failures.length,
    is: 'got no result for any passage',
    remedy: messageOf({ message: failures[0]?.failure }),
  });
}

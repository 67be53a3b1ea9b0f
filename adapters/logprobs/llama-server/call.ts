import type { ModelCall, ModelUsage } from '../../../src/index.js';
import { concurrently } from '../concurrently.js';
import type { JsonService } from '../json-service.js';
import { notAsTold } from './answers.js';
import { Completions, contextExhausted, type Memory } from './completions.js';
import { type Tokenised, tokensOf } from './tokens.js';

/** One call of the model: what it asks of the server, and what that costs. */
export class LlamaCall {
  readonly completions: Completions;

  constructor(
    readonly service: JsonService,
    readonly memory: Memory,
    readonly options: { maxConcurrency: number; batchSize: number; parseSpecial: boolean },
    readonly call: ModelCall,
  ) {
    this.completions = new Completions(service, memory, options.batchSize);
  }

  get usage(): ModelUsage {
    const { tokens, cachedTokens, isCounted } = this.completions;
    return { requests: this.service.requests, ...(isCounted ? { tokens, cachedTokens } : {}) };
  }

  get topLogprobs(): number {
    return this.call.topLogprobs ?? 0;
  }

  /** How many of the most probable tokens to ask for: for none at all, the server tells no probabilities. */
  get listed(): number {
    return Math.max(1, this.topLogprobs);
  }

  /** Tokens of each distinct text, as they are at the beginning of all. */
  async tokenise(texts: readonly string[]): Promise<ReadonlyMap<string, Tokenised>> {
    const distinct = [...new Set(texts)];
    const options = { isBeginning: true, parseSpecial: this.options.parseSpecial };
    const lists = await this.#concurrently(distinct, (text, signal) =>
      tokensOf(this.service, text, options, signal),
    );
    return new Map(distinct.map((text, place) => [text, lists[place] as Tokenised]));
  }

  /** A token that is a letter: forced where not the next token is wanted, but what was probable there. */
  async letter(signal: AbortSignal): Promise<number> {
    const options = { isBeginning: false, parseSpecial: false };
    const id = (await tokensOf(this.service, 'a', options, signal)).ids.at(-1);
    if (id === undefined) {
      throw notAsTold(this.service, 'a', 'has no token for a letter', ['POST', 'tokenize']);
    }
    return id;
  }

  /** Runs jobs that ask for completions; all once more, if the slots turn out to share too little context. */
  async each<T>(jobs: readonly T[], work: (job: T, signal: AbortSignal) => Promise<void>): Promise<void> {
    const isKnown = this.memory.sharedContext !== undefined;
    try {
      await this.#concurrently(jobs, work);
    } catch (error) {
      if (isKnown || !contextExhausted(error)) throw error;
      await this.completions.measureContext(this.call.signal);
      await this.#concurrently(jobs, work);
    }
  }

  #concurrently<T, R>(items: readonly T[], work: (item: T, signal: AbortSignal) => Promise<R>): Promise<R[]> {
    return concurrently(items, this.options.maxConcurrency, this.call.signal, work);
  }
}

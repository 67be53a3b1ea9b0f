import type { ModelCall, ModelUsage } from '../../../src/index.js';
import type { JsonService } from '../../json-service/index.js';
import { concurrently } from '../../model-calls/index.js';
import { endpointOf } from './answers.js';
import { Completions, contextExhausted, type ServerState } from './completions.js';
import { type TokenizedText, tokenize } from './tokens.js';

/** One call of the port: its requests to the server, and their cost. */
export class ServerCall {
  readonly completions: Completions;

  constructor(
    readonly service: JsonService,
    readonly state: ServerState,
    readonly options: { maxConcurrency: number; batchSize: number; parseSpecial: boolean },
    readonly call: ModelCall,
  ) {
    this.completions = new Completions(service, state, options.batchSize);
  }

  get usage(): ModelUsage {
    return this.completions.counter.usage(this.service.requests);
  }

  get topLogprobs(): number {
    return this.call.topLogprobs ?? 0;
  }

  /** How many of the most probable tokens to request. With 0 the server would report no probabilities at all. */
  get listed(): number {
    return Math.max(1, this.topLogprobs);
  }

  /** The tokens of each distinct text, with the token that begins every text. */
  async tokenizeAll(texts: readonly string[]): Promise<ReadonlyMap<string, TokenizedText>> {
    const distinct = [...new Set(texts)];
    const options = { isBeginning: true, parseSpecial: this.options.parseSpecial };
    const lists = await this.#concurrently(distinct, (text, signal) =>
      tokenize(this.service, text, options, signal),
    );
    return new Map(distinct.map((text, index) => [text, lists[index] as TokenizedText]));
  }

  /** A token that is a letter. It is forced where only the probabilities at its position are needed. */
  async letter(signal: AbortSignal): Promise<number> {
    const options = { isBeginning: false, parseSpecial: false };
    const id = (await tokenize(this.service, 'a', options, signal)).ids.at(-1);
    if (id === undefined) {
      throw endpointOf(this.service, 'POST', 'tokenize').malformed('a', 'has no token for a letter');
    }
    return id;
  }

  /** Runs jobs that request completions. If the slots share too little context, all jobs run a second time. */
  async each<T>(jobs: readonly T[], work: (job: T, signal: AbortSignal) => Promise<void>): Promise<void> {
    const isKnown = this.state.sharedContext !== undefined;
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

/** Many calls: how many run at once, how many texts a call has, and the cost of all. */
import type { Failed, ModelUsage } from '../../src/index.js';
import { defined, orAborted } from '../../src/internal.js';
import { type Refusal, refusalOf } from './answers.js';

/**
 * Calls `work` for each item, starting in order, with at most `atOnce` calls under way. If one call throws, no
 * further call starts, the signal of the running calls aborts, and the error is rethrown.
 *
 * @returns the results in the order of the items.
 */
export async function concurrently<T, R>(
  items: readonly T[],
  atOnce: number,
  signal: AbortSignal | undefined,
  work: (item: T, signal: AbortSignal) => Promise<R>,
): Promise<R[]> {
  signal?.throwIfAborted();
  const failed = new AbortController();
  const stop = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
  const results = new Array<R>(items.length);
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      stop.throwIfAborted();
      const index = next++;
      results[index] = await work(items[index] as T, stop);
    }
  };
  const workers = Array.from({ length: Math.min(atOnce, items.length) }, worker);
  try {
    await Promise.all(workers);
  } catch (error) {
    failed.abort(error);
    await Promise.allSettled(workers);
    signal?.throwIfAborted();
    throw error;
  }
  return results;
}

/** Runs one piece of work at a time, in the order of the calls. A failure does not stop later work. */
type Turns = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** Makes a queue of its own. */
export function turns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return (work, signal) => {
    const done = last.then(() => {
      signal?.throwIfAborted();
      return work();
    });
    last = done.catch(() => undefined);
    return orAborted(done, signal);
  };
}

/** The questions in batches, in their order. */
export const batchesOf = <Question>(questions: readonly Question[], batchSize: number): Question[][] =>
  Array.from({ length: Math.ceil(questions.length / batchSize) }, (_, batch) =>
    questions.slice(batch * batchSize, (batch + 1) * batchSize),
  );

/** The HTTP statuses of a service that objects to the request itself. */
const REQUEST_STATUSES = new Set([400, 413, 422]);

/**
 * Asks in batches. A service refuses a whole batch because of one unacceptable prompt. Then each question of the batch
 * is asked by itself, and only those that are refused again fail.
 *
 * @param options `isRefused`: whether a refusal with another status than 400, 413 or 422 is about a question, too.
 * @param ask returns answers in the order of its batch.
 * @returns the answers of all batches, in their order.
 * @throws the first error of the service, if it refused all questions.
 */
export async function inBatches<Question, Answer>(
  batches: readonly (readonly Question[])[],
  options: {
    atOnce: number;
    signal: AbortSignal | undefined;
    isRefused?: (refusal: Refusal) => boolean;
  },
  ask: (batch: readonly Question[], signal: AbortSignal) => Promise<readonly (Answer | Failed)[]>,
): Promise<(Answer | Failed)[]> {
  const { atOnce, signal, isRefused = () => false } = options;
  const refused: unknown[] = [];
  const once = async (
    batch: readonly Question[],
    stop: AbortSignal,
  ): Promise<readonly (Answer | Failed)[]> => {
    try {
      return await ask(batch, stop);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined || !(REQUEST_STATUSES.has(refusal.status) || isRefused(refusal))) throw error;
      if (batch.length === 1) {
        refused.push(error);
        return [{ failure: refusal.message }];
      }
      const alone = [];
      for (const question of batch) alone.push(...(await once([question], stop)));
      return alone;
    }
  };
  const answers = (await concurrently(batches, atOnce, signal, once)).flat();
  if (answers.length > 0 && refused.length === answers.length) throw refused[0];
  return answers;
}

/** Adds up the cost of the requests of one call. A sum is unknown as soon as one request does not report its part. */
export class UsageCounter {
  #tokens: number | undefined = 0;
  #cachedTokens: number | undefined;

  /** @param countsCached whether the service reports cached tokens at all. */
  constructor({ countsCached }: { countsCached: boolean }) {
    this.#cachedTokens = countsCached ? 0 : undefined;
  }

  add({ tokens, cachedTokens }: { tokens: number | undefined; cachedTokens?: number | undefined }): void {
    this.#tokens = sum(this.#tokens, tokens);
    this.#cachedTokens = sum(this.#cachedTokens, cachedTokens);
  }

  usage(requests: number): ModelUsage {
    return defined({ requests, tokens: this.#tokens, cachedTokens: this.#cachedTokens });
  }
}

const sum = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : a + b;

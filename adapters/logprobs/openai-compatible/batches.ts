/** Many prompts in few requests, and what they cost. */
import type { Failed, ModelUsage } from '../../../src/index.js';
import { concurrently } from '../concurrently.js';
import { messageIn, type Refusal, refusalOf } from '../json-service.js';

/** What a service may answer to a request that is not as it should be. */
const OF_THE_REQUEST = new Set([400, 413, 422]);

/** As vLLM, SGLang, TGI and llama.cpp say it; vLLM also names the negative number that is left to generate. */
const TOO_LONG =
  /context[ _](length|size|window)|model length|longer than|too long|input length|token count exceeds|must have less than|must be <=|at least 1, got -\d/i;

/** What was answered, if it is about the request. */
export function objectionOf(error: unknown): { message: string; isLength: boolean } | undefined {
  const refusal = refusalOf(error);
  if (refusal === undefined || !OF_THE_REQUEST.has(refusal.status)) return undefined;
  const message = textOf(refusal);
  return { message, isLength: TOO_LONG.test(message) };
}

function textOf({ body }: Refusal): string {
  return messageIn(body) || JSON.stringify(body);
}

/** What the requests of one call cost, as far as the service tells. */
export class Spending {
  #tokens: number | undefined = 0;
  #cachedTokens: number | undefined = 0;

  add({ tokens, cachedTokens }: { tokens: number | undefined; cachedTokens: number | undefined }): void {
    this.#tokens = sum(this.#tokens, tokens);
    this.#cachedTokens = sum(this.#cachedTokens, cachedTokens);
  }

  usage(requests: number): ModelUsage {
    return {
      requests,
      ...(this.#tokens === undefined ? {} : { tokens: this.#tokens }),
      ...(this.#cachedTokens === undefined ? {} : { cachedTokens: this.#cachedTokens }),
    };
  }
}

/** What one service did not tell, nobody knows of all. */
function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}

/**
 * Asks in batches. A service refuses a whole batch for one prompt that is too long: each of it is asked alone
 * then, and fails if it is refused alone.
 *
 * @param ask answers in the order of what it is given.
 */
export async function inBatches<Question, Answer>(
  questions: readonly Question[],
  batchSize: number,
  atOnce: number,
  signal: AbortSignal | undefined,
  ask: (batch: readonly Question[], signal: AbortSignal) => Promise<readonly (Answer | Failed)[]>,
): Promise<(Answer | Failed)[]> {
  const batches = Array.from({ length: Math.ceil(questions.length / batchSize) }, (_, batch) =>
    questions.slice(batch * batchSize, (batch + 1) * batchSize),
  );
  const answers = await concurrently(batches, atOnce, signal, async (batch, stop) => {
    try {
      return await ask(batch, stop);
    } catch (error) {
      const objection = objectionOf(error);
      if (objection?.isLength !== true) throw error;
      return batch.length === 1 ? [{ failure: objection.message }] : batch.map(() => undefined);
    }
  });
  const all = answers.flat();
  const refused = questions.filter((_, place) => all[place] === undefined);
  if (refused.length === 0) return all as (Answer | Failed)[];
  const alone = (await inBatches(refused, 1, atOnce, signal, ask)).values();
  return all.map((answer) => answer ?? (alone.next().value as Answer | Failed));
}

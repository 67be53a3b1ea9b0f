/** Many prompts in few requests, and what they cost. */
import type { Failed, ModelUsage } from '../../../src/index.js';
import { concurrently } from '../concurrently.js';
import { refusalOf } from '../json-service.js';

/** What a service may answer to a request that is not as it should be. */
const OF_THE_REQUEST = new Set([400, 413, 422]);

/** As vLLM, SGLang, TGI and llama.cpp say it; vLLM also names the negative number that is left to generate. */
const TOO_LONG =
  /context[ _](length|size|window)|model length|longer than|too long|input length|token count exceeds|must have less than|must be <=|at least 1, got -\d/i;

/** Names of what every request is asked with: what is said of them holds for all. */
const OF_ALL_REQUESTS = /\b(echo|(top_|prompt_)?logprobs|max_tokens|temperature|stop|\w+_penalty)\b/;

/** What was answered, if it is about the request: about its length, or about how all are asked. */
export function objectionOf(
  error: unknown,
): { message: string; isLength: boolean; isOfAll: boolean } | undefined {
  const refusal = refusalOf(error);
  if (refusal === undefined || !OF_THE_REQUEST.has(refusal.status)) return undefined;
  const { message } = refusal;
  const isLength = TOO_LONG.test(message);
  return { message, isLength, isOfAll: !isLength && OF_ALL_REQUESTS.test(message) };
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

/** As many as may be in a batch, in their order. */
export const batchesOf = <Question>(questions: readonly Question[], batchSize: number): Question[][] =>
  Array.from({ length: Math.ceil(questions.length / batchSize) }, (_, batch) =>
    questions.slice(batch * batchSize, (batch + 1) * batchSize),
  );

/** A question that was refused, and why. */
class RefusedQuestion {
  constructor(
    readonly error: unknown,
    readonly message: string,
    readonly isLength: boolean,
  ) {}
}

/**
 * Asks in batches. A service refuses a whole batch for one prompt that it does not take: each of it is asked
 * alone then, and fails if it is refused alone.
 *
 * @param options `learns`: the first batch is asked alone, for what others need not learn at the same time.
 * @param ask answers in the order of what it is given.
 * @returns of all batches, in their order.
 * @throws what the service said first, if it refused all, and not for their length.
 */
export async function inBatches<Question, Answer>(
  batches: readonly (readonly Question[])[],
  { atOnce, learns, signal }: { atOnce: number; learns: boolean; signal: AbortSignal | undefined },
  ask: (batch: readonly Question[], signal: AbortSignal) => Promise<readonly (Answer | Failed)[]>,
): Promise<(Answer | Failed)[]> {
  const asked = async (some: readonly (readonly Question[])[]) => {
    const answers = await concurrently(some, atOnce, signal, (batch, stop) =>
      ask(batch, stop).catch((error: unknown) => batch.map(() => refusedQuestion(error))),
    );
    return answers.flat();
  };
  const beginning = learns ? 1 : 0;
  const all = [...(await asked(batches.slice(0, beginning))), ...(await asked(batches.slice(beginning)))];
  const sent = batches.flatMap((batch) =>
    batch.map((question) => ({ question, isAlone: batch.length === 1 })),
  );
  const again = [...sent.keys()].filter(
    (place) => all[place] instanceof RefusedQuestion && sent[place]?.isAlone === false,
  );
  const alone = await asked(again.map((place) => [sent[place]?.question as Question]));
  for (const [index, place] of again.entries()) all[place] = alone[index] as (typeof all)[0];
  const [first] = all;
  if (first instanceof RefusedQuestion && all.every(isRefusedForItself)) throw first.error;
  return all.map((each) => (each instanceof RefusedQuestion ? { failure: each.message } : each));
}

/** @throws the error, if it is not about a question. */
function refusedQuestion(error: unknown): RefusedQuestion {
  const objection = objectionOf(error);
  if (objection === undefined || objection.isOfAll) throw error;
  return new RefusedQuestion(error, objection.message, objection.isLength);
}

const isRefusedForItself = (answer: unknown): boolean =>
  answer instanceof RefusedQuestion && !answer.isLength;

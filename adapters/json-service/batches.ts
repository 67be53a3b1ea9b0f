/** Sends many prompts or texts in few requests. */
import type { Failed } from '../../src/index.js';
import { concurrently } from '../model-calls/index.js';
import { type Refusal, refusalOf } from './answers.js';

/** The HTTP statuses of a service that objects to the request itself. */
const REQUEST_STATUSES = new Set([400, 413, 422]);

/** A question that the service refused, and the reason. */
class RefusedQuestion {
  constructor(
    readonly error: unknown,
    readonly message: string,
  ) {}
}

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
  {
    atOnce,
    signal,
    isRefused = () => false,
  }: {
    atOnce: number;
    signal: AbortSignal | undefined;
    isRefused?: (refusal: Refusal) => boolean;
  },
  ask: (batch: readonly Question[], signal: AbortSignal) => Promise<readonly (Answer | Failed)[]>,
): Promise<(Answer | Failed)[]> {
  const asked = async (some: readonly (readonly Question[])[]) => {
    const answers = await concurrently(some, atOnce, signal, (batch, stop) =>
      ask(batch, stop).catch((error: unknown) => {
        const refusal = refusalOf(error);
        if (refusal === undefined || !(REQUEST_STATUSES.has(refusal.status) || isRefused(refusal)))
          throw error;
        return batch.map(() => new RefusedQuestion(error, refusal.message));
      }),
    );
    return answers.flat();
  };
  const all = await asked(batches);
  const sent = batches.flatMap((batch) =>
    batch.map((question) => ({ question, isAlone: batch.length === 1 })),
  );
  const again = [...sent.keys()].filter(
    (at) => all[at] instanceof RefusedQuestion && sent[at]?.isAlone === false,
  );
  const alone = await asked(again.map((at) => [sent[at]?.question as Question]));
  for (const [index, at] of again.entries()) all[at] = alone[index] as (typeof all)[0];
  const [first] = all;
  if (first instanceof RefusedQuestion && all.every((each) => each instanceof RefusedQuestion))
    throw first.error;
  return all.map((each) => (each instanceof RefusedQuestion ? { failure: each.message } : each));
}

/** Sends many prompts in few requests. */
import type { Failed } from '../../src/index.js';
import { refusalOf } from '../json-service/index.js';
import { concurrently } from '../model-calls/index.js';

/** The HTTP statuses of a service that objects to the request itself. */
const REQUEST_STATUSES = new Set([400, 413, 422]);

/** Messages of vLLM, SGLang, TGI and llama.cpp. vLLM also names the negative number of tokens left to generate. */
const TOO_LONG =
  /context[ _](length|size|window)|model length|longer than|too long|input length|token count exceeds|must have less than|must be <=|at least 1, got -\d/i;

/** Parameters of every request: an objection to one of them holds for all requests. */
const COMMON_PARAMETERS =
  /\b(echo|(top_|prompt_)?logprobs|max_tokens|temperature|stop|return_token_ids|return_logprob|logprob_start_len|\w+_penalty)\b/;

/** The objection of the service, if the error is one: to the length of a prompt, or to all requests. */
export function objectionOf(
  error: unknown,
): { message: string; isLength: boolean; isOfAll: boolean } | undefined {
  const refusal = refusalOf(error);
  if (refusal === undefined || !REQUEST_STATUSES.has(refusal.status)) return undefined;
  const { message } = refusal;
  const isLength = TOO_LONG.test(message);
  return { message, isLength, isOfAll: !isLength && COMMON_PARAMETERS.test(message) };
}

/** The questions in batches, in their order. */
export const batchesOf = <Question>(questions: readonly Question[], batchSize: number): Question[][] =>
  Array.from({ length: Math.ceil(questions.length / batchSize) }, (_, batch) =>
    questions.slice(batch * batchSize, (batch + 1) * batchSize),
  );

/** A question that the service refused, and the reason. */
class RefusedQuestion {
  constructor(
    readonly error: unknown,
    readonly message: string,
    readonly isLength: boolean,
  ) {}
}

/**
 * Asks in batches. A service refuses a whole batch because of one unacceptable prompt. Then each question of the batch
 * is asked by itself, and only those that are refused again fail.
 *
 * @param options `learns`: the first batch is sent alone, so that the others can use its findings.
 * @param ask returns answers in the order of its batch.
 * @returns the answers of all batches, in their order.
 * @throws the first error of the service, if it refused all questions, and not because of their length.
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
    (at) => all[at] instanceof RefusedQuestion && sent[at]?.isAlone === false,
  );
  const alone = await asked(again.map((at) => [sent[at]?.question as Question]));
  for (const [index, at] of again.entries()) all[at] = alone[index] as (typeof all)[0];
  const [first] = all;
  if (first instanceof RefusedQuestion && all.every(isRefusedForItself)) throw first.error;
  return all.map((each) => (each instanceof RefusedQuestion ? { failure: each.message } : each));
}

/** @throws the error, if it is not about one question. */
function refusedQuestion(error: unknown): RefusedQuestion {
  const objection = objectionOf(error);
  if (objection === undefined || objection.isOfAll) throw error;
  return new RefusedQuestion(error, objection.message, objection.isLength);
}

const isRefusedForItself = (answer: unknown): boolean =>
  answer instanceof RefusedQuestion && !answer.isLength;

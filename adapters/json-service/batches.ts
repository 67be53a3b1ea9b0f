/** Sends many prompts or texts in few requests. */
import type { Failed } from '../../src/index.js';
import { concurrently } from '../model-calls/index.js';
import { refusalOf } from './answers.js';

/** The HTTP statuses of a service that objects to the request itself. */
const REQUEST_STATUSES = new Set([400, 413, 422]);

/** Messages of vLLM, SGLang, TGI and llama.cpp. vLLM also names the negative number of tokens left to generate. */
const TOO_LONG =
  /context[ _](length|size|window)|model length|longer than|too long|input length|token count exceeds|must have less than|must be <=|at least 1, got -\d/i;

/** Parameters of every request: an objection to one of them holds for all requests. */
const COMMON_PARAMETERS =
  /\b(echo|(top_|prompt_)?logprobs|max_tokens|temperature|stop|return_token_ids|return_logprob|logprob_start_len|\w+_penalty)\b/;

interface Objection {
  message: string;
  /** It is about the length of a prompt. */
  isLength: boolean;
  /** It holds for all requests. */
  isOfAll: boolean;
}

/** The objection of a language model's service to the request, if the error is one. */
function objectionOf(error: unknown): Objection | undefined {
  const refusal = refusalOf(error);
  if (refusal === undefined || !REQUEST_STATUSES.has(refusal.status)) return undefined;
  const { message } = refusal;
  const isLength = TOO_LONG.test(message);
  return { message, isLength, isOfAll: !isLength && COMMON_PARAMETERS.test(message) };
}

/** A question that the service refused, and the reason. */
class RefusedQuestion {
  constructor(
    readonly error: unknown,
    readonly objection: Objection,
  ) {}
}

/**
 * Asks in batches. A service refuses a whole batch because of one unacceptable prompt. Then each question of the batch
 * is asked by itself, and only those that are refused again fail.
 *
 * @param options `objection`: reads an error; by default {@link objectionOf}.
 * @param ask returns answers in the order of its batch.
 * @returns the answers of all batches, in their order.
 * @throws the first error of the service, if it refused all questions, and not because of their length.
 */
export async function inBatches<Question, Answer>(
  batches: readonly (readonly Question[])[],
  {
    atOnce,
    signal,
    objection = objectionOf,
  }: {
    atOnce: number;
    signal: AbortSignal | undefined;
    objection?: (error: unknown) => Objection | undefined;
  },
  ask: (batch: readonly Question[], signal: AbortSignal) => Promise<readonly (Answer | Failed)[]>,
): Promise<(Answer | Failed)[]> {
  const asked = async (some: readonly (readonly Question[])[]) => {
    const answers = await concurrently(some, atOnce, signal, (batch, stop) =>
      ask(batch, stop).catch((error: unknown) => {
        const found = objection(error);
        if (found === undefined || found.isOfAll) throw error;
        return batch.map(() => new RefusedQuestion(error, found));
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
  if (first instanceof RefusedQuestion && all.every(isRefusedForItself)) throw first.error;
  return all.map((each) => (each instanceof RefusedQuestion ? { failure: each.objection.message } : each));
}

const isRefusedForItself = (answer: unknown): boolean =>
  answer instanceof RefusedQuestion && !answer.objection.isLength;

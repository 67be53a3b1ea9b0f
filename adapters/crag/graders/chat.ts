import * as z from 'zod';
import type { Failed } from '../../../src/index.js';
import { messageOf, parseOptions, rethrowControlFlow, within } from '../../../src/internal.js';
import {
  type ChatModelLike,
  checkChatModel,
  finalFailure,
  nameOf,
  textOf,
} from '../../langchain/chat/index.js';
import { isPermanent, statusOf, withFastFailures, withRetries } from '../../model-calls/index.js';
import type { Grade, GradeRequest, Grader } from '../types.js';
import { chatGradeSchema, gradeIn, gradingPrompt } from './chat-grade.js';

const SHOWN_CHARACTERS = 80;

const optionsSchema = z.strictObject({
  prompt: z.string().min(1).optional(),
  maxRetries: z.int().min(0).default(2),
  timeoutMs: z
    .int()
    .min(1)
    .max(2 ** 31 - 1)
    .optional(),
  maxPassageCharacters: z.int().min(1).optional(),
  batchSize: z.int().min(1).default(1),
});

export interface ChatGraderOptions {
  /** Instructions for the grades `yes`, `partly` and `no`. Default: whether the passage states the facts of the answer. */
  prompt?: string | undefined;
  /** Retries per passage after a failed call or an unclear reply. Default 2. */
  maxRetries?: number | undefined;
  /** The longest wait for one reply, in whole milliseconds. Default: the limit of the class. */
  timeoutMs?: number | undefined;
  /** The model sees at most this many characters of a passage, from its beginning. Default: all. */
  maxPassageCharacters?: number | undefined;
  /** Passages per step of the graph. Each has a call of its own, and the calls run at the same time. Default 1. */
  batchSize?: number | undefined;
}

/**
 * Any LangChain chat model as a grader: `yes` is 1, `partly` .5, `no` 0, with one sentence as the reason.
 *
 * The grader uses structured output if the class supports it. Otherwise, and after a reply in another form, the prompt
 * asks for a JSON object. Use temperature 0. The prompt marks the passage as data, but a text in the passage may still
 * influence the model's grade.
 *
 * A reply without a grade, or a call that still fails after the retries, is a failure for that passage alone.
 *
 * @throws ContextShapingError `invalid-options`. Grading throws `service` at the first call that the service refuses
 *   because of its key (status 401 or 403), and at the first connection that is refused.
 */
export function chatGrader(chatModel: ChatModelLike, options: ChatGraderOptions = {}): Grader {
  checkChatModel(chatModel);
  const { maxRetries, timeoutMs, batchSize, ...promptOptions } = parseOptions(optionsSchema, options);
  const name = nameOf(chatModel);
  const calling = withFastFailures(chatModel);
  const structured = structuredOf(chatModel);
  // It may hold a copy of the model.
  const callingStructured = structured && withFastFailures(structured);

  const ask = (request: GradeRequest, inWords: boolean, caller: AbortSignal): Promise<unknown> => {
    const prompt = gradingPrompt(request, { ...promptOptions, inWords });
    return within(timeoutMs, caller, async (signal) =>
      callingStructured === undefined || inWords
        ? textOf(await calling((model) => model.invoke(prompt, { signal })))
        : callingStructured((model) => model.invoke(prompt, { signal })),
    );
  };

  const grade = async (request: GradeRequest, signal: AbortSignal): Promise<Grade | Failed> => {
    let inWords = structured === undefined;
    const last = await withRetries<Grade, string>(maxRetries, signal, async () => {
      try {
        const reply = await ask(request, inWords, signal);
        const found = gradeIn(reply);
        if (found !== undefined) return { result: found };
        inWords = true;
        const failure = `${name} replied ${shown(reply)}, which has no grade.`;
        return { failure, again: true, pauseMilliseconds: 0 };
      } catch (error) {
        rethrowControlFlow(error, signal);
        const final = finalFailure(name, error);
        if (final !== undefined) throw final;
        const failure = `${name} failed: ${messageOf(error)}`;
        const isFinal = isPermanent(error);
        const again = !(inWords && isFinal);
        // An error of the class may mean that the model, or its reply, does not support structured output.
        if (isFinal || (statusOf(error) === undefined && !isTimeout(error))) inWords = true;
        return isFinal ? { failure, again, pauseMilliseconds: 0 } : { failure, again };
      }
    });
    return 'result' in last ? last.result : { failure: last.failure };
  };

  return {
    name,
    batchSize,
    async grade(requests, { signal }) {
      signal?.throwIfAborted();
      const failed = new AbortController();
      const stop = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
      try {
        return await Promise.all(requests.map((request) => grade(request, stop)));
      } catch (error) {
        failed.abort(error);
        rethrowControlFlow(error, signal);
        throw error;
      }
    },
  };
}

interface Structured {
  invoke(prompt: string, call: { signal: AbortSignal }): Promise<unknown>;
}

/** `undefined` if the class does not support structured output, or throws when it is asked for it. */
function structuredOf(chatModel: ChatModelLike): Structured | undefined {
  const model = chatModel as { withStructuredOutput?(schema: object, options: object): Structured };
  try {
    return model.withStructuredOutput?.(chatGradeSchema, { name: 'grade' });
  } catch (error) {
    rethrowControlFlow(error);
    return undefined;
  }
}

const isTimeout = (error: unknown) => (error as { name?: unknown } | null)?.name === 'TimeoutError';

function shown(reply: unknown): string {
  const text = typeof reply === 'string' ? reply : (JSON.stringify(reply) ?? '');
  return JSON.stringify(text.slice(0, SHOWN_CHARACTERS));
}

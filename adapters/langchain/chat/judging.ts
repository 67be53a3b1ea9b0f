/** Chat models that judge: retries, the cost of all calls, and the name of model and prompts. */
import * as z from 'zod/mini';
import type { Failed, Judge, Judgement, JudgeRequest, ModelUsage } from '../../../src/index.js';
import { digestOf, lazily, messageOf, parseJson, rethrowControlFlow, within } from '../../../src/internal.js';
import {
  type Attempt,
  isPermanent,
  timeoutMs,
  UsageCounter,
  withFastFailures,
  withRetries,
} from '../../model-calls/index.js';
import {
  type ChatAnswer,
  type ChatModelLike,
  chatModelFailed,
  checkChatModel,
  finalFailure,
  nameOf,
} from './chat-model.js';

/** The schemas of {@link ChatJudgeOptions}. */
export const chatOptions = lazily(() => ({
  maxConcurrency: z._default(z.int().check(z.minimum(1)), 4),
  maxRetries: z._default(z.int().check(z.minimum(0)), 2),
  timeoutMs: z.optional(timeoutMs()),
}));

export interface ChatJudgeOptions {
  /** The largest number of prompts that are sent at once, within one call. Default 4. */
  maxConcurrency?: number | undefined;
  /** How often a failed call is repeated, with growing pauses, in addition to the retries of the class. Default 2. */
  maxRetries?: number | undefined;
  /** Longest wait for one answer, in whole milliseconds. Default: no limit but that of the class. */
  timeoutMs?: number | undefined;
}

/** One request for each form of a prompt. */
export const SAMPLES: readonly JudgeRequest[] = [{}, { answer: 'a' }, { about: 'factuality' } as const].map(
  (more) => ({ question: 'q', passage: 'p', ...more }),
);

export type Reply = ChatAnswer | null | undefined;

const SHOWN_CHARACTERS = 80;

/** The beginning of a reply, for messages. */
export const shown = (text: string): string => JSON.stringify(text.slice(0, SHOWN_CHARACTERS));

/** The JSON object in a reply; undefined, if there is none. */
export const objectIn = (text: string): unknown =>
  parseJson(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));

/**
 * Asks a question, again if a call fails or `read` wants it. A call that keeps failing is a failure.
 *
 * @param read reads a reply. Its failure says whether the model is asked again.
 */
export type Ask = <T>(
  prompt: string,
  stop: AbortSignal,
  read: (reply: Reply) => Attempt<T, string>,
) => Promise<{ result: T } | Failed>;

interface Judging {
  /** The part of the identity that tells judges of one model apart, such as `judge`. */
  readonly kind: string;
  /** Everything on which a judgement depends, besides the model. */
  readonly prompts: unknown;
  /** The name of all questions in the error if none got a reply: `every passage`. */
  readonly all: string;
  judge(
    requests: readonly JudgeRequest[],
    ask: Ask,
    signal: AbortSignal | undefined,
  ): Promise<(Judgement | Failed)[]>;
}

/** Calls of a chat model: how to ask, and what all calls took. */
interface Asking {
  readonly ask: Ask;
  /** Errors of the questions that got no reply. */
  readonly errors: readonly unknown[];
  questions(): number;
  usage(): ModelUsage;
}

/**
 * Asks a chat model, and counts.
 *
 * @param limits `timeoutMs` in milliseconds; absent: no time limit.
 */
export function askingOf(
  chatModel: ChatModelLike,
  { maxRetries, timeoutMs }: { maxRetries: number; timeoutMs?: number | undefined },
): () => Asking {
  checkChatModel(chatModel);
  const name = nameOf(chatModel);
  const calling = withFastFailures(chatModel);
  return () => {
    const cost = new UsageCounter({ countsCached: false });
    const errors: unknown[] = [];
    let attempts = 0;
    let questions = 0;
    const ask: Ask = async (prompt, stop, read) => {
      questions++;
      let error: unknown;
      const last = await withRetries(maxRetries, stop, async () => {
        attempts++;
        error = undefined;
        let reply: Reply;
        try {
          reply = await within(timeoutMs, stop, (own) =>
            calling((model) => model.invoke(prompt, { signal: own })),
          );
        } catch (cause) {
          rethrowControlFlow(cause, stop);
          const final = finalFailure(name, cause);
          if (final !== undefined) throw final;
          error = cause;
          return { failure: `${name} failed: ${messageOf(cause)}`, again: !isPermanent(cause) };
        }
        cost.add({ tokens: reply?.usage_metadata?.total_tokens });
        return read(reply);
      });
      if ('result' in last) return { result: last.result };
      if (error !== undefined) errors.push(error);
      return { failure: last.failure };
    };
    return { ask, errors, questions: () => questions, usage: () => cost.usage(attempts) };
  };
}

/**
 * A judge from a chat model.
 *
 * @throws ContextShapingError `invalid-options`, if it is not a chat model; when judging `service`, if no question got
 *   a reply.
 */
export function judgeOf(
  chatModel: ChatModelLike,
  limits: Parameters<typeof askingOf>[1],
  { kind, prompts, all, judge }: Judging,
): Judge {
  const asking = askingOf(chatModel, limits);
  const name = nameOf(chatModel);
  return {
    specificationVersion: 'v1',
    provider: 'langchain',
    modelId: name,
    async identify({ signal } = {}) {
      signal?.throwIfAborted();
      const digest = digestOf(JSON.stringify(prompts)).slice(0, 12);
      return [name, ...addressIn(chatModel), `${kind}-${digest}`].join(':');
    },
    async judge(requests, { signal } = {}) {
      const { ask, errors, questions, usage } = asking();
      const results = await judge(requests, ask, signal);
      if (errors.length > 0 && errors.length === questions())
        throw chatModelFailed(name, `failed for ${all}`, errors[0]);
      return { results, usage: usage() };
    },
  };
}

/** The address that the class reports for its model: two services may use one name for different models. */
function addressIn(chatModel: ChatModelLike): string[] {
  const { baseUrl, baseURL, clientConfig } = chatModel as {
    baseUrl?: unknown;
    baseURL?: unknown;
    clientConfig?: { baseURL?: unknown } | null;
  };
  const address = [baseUrl, baseURL, clientConfig?.baseURL].find((each) => typeof each === 'string');
  if (address === undefined || !URL.canParse(address)) return [];
  // Without the parts that may be secret: a password, or a key in the query.
  const { protocol, host, pathname } = new URL(address);
  return [`${protocol}//${host}${pathname.replace(/(?<!\/)\/+$/, '')}`];
}

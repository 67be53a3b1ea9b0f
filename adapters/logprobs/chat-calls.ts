/** The calls of a chat model by one judge: retries, the cost of all, and the name of model and prompts. */
import * as z from 'zod';
import type { Failed, JudgeRequest, ModelUsage } from '../../src/index.js';
import { digestOf, messageOf, rethrowControlFlow, within } from '../../src/internal.js';
import { parse, timeoutMs } from '../json-service/index.js';
import {
  type Attempt,
  type ChatAnswer,
  type ChatModelLike,
  chatModelFailed,
  checkChatModel,
  finalFailure,
  isPermanent,
  nameOf,
  withFastFailures,
  withRetries,
} from '../model-calls/index.js';

/** The schemas of {@link ChatJudgeOptions}. */
export const chatOptions = {
  maxConcurrency: z.int().min(1).default(4),
  maxRetries: z.int().min(0).default(2),
  timeoutMs: timeoutMs.optional(),
};

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

/** The JSON object in a reply; undefined, if there is none. */
export function objectIn(text: string): unknown {
  const { isJson, value } = parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  return isJson ? value : undefined;
}

/** Reads a reply. A failure says whether the model is asked again. */
export type Read<T> = (reply: Reply) => Attempt<T, string>;

/** A chat model that judges. */
export class ChatCaller {
  readonly name: string;
  readonly #calling;

  /**
   * @param timeoutMs in milliseconds; absent: no time limit.
   * @throws ContextShapingError `invalid-options`, if it is not a chat model.
   */
  constructor(
    readonly chatModel: ChatModelLike,
    readonly maxRetries: number,
    readonly timeoutMs: number | undefined,
  ) {
    checkChatModel(chatModel);
    this.name = nameOf(chatModel);
    this.#calling = withFastFailures(chatModel);
  }

  /**
   * Names the model, its address and the prompts.
   *
   * @param kind of the judge.
   * @param prompts everything on which a judgement depends.
   */
  identityOf(kind: string, prompts: unknown): string {
    const digest = digestOf(JSON.stringify(prompts)).slice(0, 12);
    return [this.name, ...addressIn(this.chatModel), `${kind}-${digest}`].join(':');
  }

  /** Counts the calls of one judgement. */
  begin(): ChatCalls {
    return new ChatCalls(this);
  }

  invoke(prompt: string, stop: AbortSignal): Promise<Reply> {
    return within(this.timeoutMs, stop, (signal) =>
      this.#calling((model) => model.invoke(prompt, { signal })),
    );
  }
}

export class ChatCalls {
  #attempts = 0;
  #questions = 0;
  readonly #replies: Reply[] = [];
  readonly #errors: unknown[] = [];

  constructor(readonly caller: ChatCaller) {}

  /** Asks a question, again if a call fails or `read` wants it. A call that keeps failing is a failure. */
  async ask<T>(prompt: string, stop: AbortSignal, read: Read<T>): Promise<{ result: T } | Failed> {
    const { name, maxRetries } = this.caller;
    this.#questions++;
    let error: unknown;
    const last = await withRetries<T, string>(maxRetries, stop, async () => {
      this.#attempts++;
      error = undefined;
      let reply: Reply;
      try {
        reply = await this.caller.invoke(prompt, stop);
      } catch (cause) {
        rethrowControlFlow(cause, stop);
        const final = finalFailure(name, cause);
        if (final !== undefined) throw final;
        error = cause;
        return { failure: `${name} failed: ${messageOf(cause)}`, again: !isPermanent(cause) };
      }
      this.#replies.push(reply);
      return read(reply);
    });
    if ('result' in last) return { result: last.result };
    if (error !== undefined) this.#errors.push(error);
    return { failure: last.failure };
  }

  /** @throws ContextShapingError `service`, if no question got a reply. */
  expectReplies(what: string): void {
    if (this.#errors.length === 0 || this.#errors.length < this.#questions) return;
    throw chatModelFailed(this.caller.name, `failed for ${what}`, this.#errors[0]);
  }

  get usage(): ModelUsage {
    const totals = this.#replies.map((reply) => reply?.usage_metadata?.total_tokens);
    const isKnown = totals.every((total) => typeof total === 'number');
    return {
      requests: this.#attempts,
      ...(isKnown ? { tokens: totals.reduce((sum, total) => sum + total, 0) } : {}),
    };
  }
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

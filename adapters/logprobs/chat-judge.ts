import * as z from 'zod';
import {
  type Answers,
  ContextShapingError,
  type Failed,
  type Judge,
  type Judgement,
  type JudgeRequest,
} from '../../src/index.js';
import { messageOf, orAborted, parseOptions, rethrowControlFlow, withDeadline } from '../../src/internal.js';
import {
  checkChatModel,
  isRefused,
  maySucceedLater,
  nameOf,
  pause,
  pauseAfter,
  refused,
  statusOf,
} from '../asking/index.js';
import { type ChatAnswer, judgementOf } from './chat-judge/answer.js';
import { judgingPrompt } from './chat-judge/prompt.js';
import { concurrently } from './concurrently.js';
import { timeoutMs } from './http-options.js';

const optionsSchema = z.strictObject({
  maxConcurrency: z.int().min(1).default(4),
  maxRetries: z.int().min(0).default(2),
  timeoutMs: timeoutMs.optional(),
});

/** What is used of a LangChain chat model. */
export interface ChatModelLike {
  invoke(input: string, options?: { signal?: AbortSignal }): Promise<ChatAnswer>;
}

export interface ChatJudgeOptions {
  /** The most passages that are judged at once, within one call. Default 4. */
  maxConcurrency?: number | undefined;
  /** How often a call that failed is tried again, with growing pauses, on top of what the class does. Default 2. */
  maxRetries?: number | undefined;
  /** Longest wait for one answer, in whole milliseconds. Default: as long as the class waits. */
  timeoutMs?: number | undefined;
}

/**
 * Any LangChain chat model as a judge: it is asked for each passage whether it supports the answer, or holds the
 * facts that answer the question, and replies with one word.
 *
 * A model that tells log-probabilities (`new ChatOpenAI({ logprobs: true, topLogprobs: 20 })`) gives the
 * probability of yes, of yes and no together; another gives 1 or 0, and should answer with temperature 0. The
 * passage is data in the prompt, but a model may still be talked into a yes by what a passage says.
 *
 * A reply that is neither, and a call that keeps failing, fail for that passage alone.
 *
 * @throws ContextShapingError `invalid-options`; when judging `service`, if all calls failed, or at the first that
 *   is refused for its key (status 401 or 403).
 */
export function chatJudge(chatModel: ChatModelLike, options: ChatJudgeOptions = {}): Judge {
  checkChatModel(chatModel);
  const { maxConcurrency, maxRetries, timeoutMs: most } = parseOptions(optionsSchema, options);
  const name = nameOf(chatModel);

  const ask = async (prompt: string, caller: AbortSignal): Promise<ChatAnswer> => {
    const { signal = caller, clear } = withDeadline(caller, most);
    try {
      // Not every class heeds its signal.
      return await orAborted(chatModel.invoke(prompt, { signal }), signal);
    } finally {
      clear();
    }
  };

  return {
    specificationVersion: 'v1',
    provider: 'langchain',
    modelId: name,
    async identify({ signal } = {}) {
      signal?.throwIfAborted();
      return [name, ...addressIn(chatModel)].join(':');
    },

    async judge(requests: readonly JudgeRequest[], { signal } = {}): Promise<Answers<Judgement>> {
      let attempts = 0;
      const answers: (ChatAnswer | null | undefined)[] = [];
      const errors: unknown[] = [];
      const results = await concurrently(requests, maxConcurrency, signal, async (request, stop) => {
        for (let attempt = 0; ; attempt++) {
          let answer: ChatAnswer | null | undefined;
          try {
            attempts++;
            answer = await ask(judgingPrompt(request), stop);
          } catch (error) {
            rethrowControlFlow(error, stop);
            if (isRefused(error)) throw refused(name, error);
            if (attempt < maxRetries && mayBeTriedAgain(error)) {
              await pause(pauseAfter(attempt, null), stop);
              continue;
            }
            errors.push(error);
            const failed: Failed = { failure: `${name} failed: ${messageOf(error)}` };
            return failed;
          }
          answers.push(answer);
          return judgementOf(answer);
        }
      });
      if (errors.length > 0 && errors.length === requests.length) throw allFailed(name, errors[0]);
      return { results, usage: { requests: attempts, ...tokensOf(answers) } };
    },
  };
}

/** Where the class says that its model is: the same name may mean another model elsewhere. */
function addressIn(chatModel: ChatModelLike): string[] {
  const { baseUrl, baseURL, clientConfig } = chatModel as {
    baseUrl?: unknown;
    baseURL?: unknown;
    clientConfig?: { baseURL?: unknown } | null;
  };
  const address = [baseUrl, baseURL, clientConfig?.baseURL].find((each) => typeof each === 'string');
  if (address === undefined || !URL.canParse(address)) return [];
  // Without what may be secret: a password, a key in the query.
  const { protocol, host, pathname } = new URL(address);
  return [`${protocol}//${host}${pathname.replace(/\/+$/, '')}`];
}

/** Whatever is not known to be refused for good. */
function mayBeTriedAgain(error: unknown): boolean {
  const status = statusOf(error);
  return status === undefined || maySucceedLater(status);
}

/** Nothing, if one of the answers does not tell. */
function tokensOf(answers: readonly (ChatAnswer | null | undefined)[]): { tokens?: number } {
  const totals = answers.map((answer) => answer?.usage_metadata?.total_tokens);
  return totals.every((total) => typeof total === 'number')
    ? { tokens: totals.reduce((sum, total) => sum + total, 0) }
    : {};
}

function allFailed(name: string, cause: unknown): ContextShapingError {
  return new ContextShapingError('service', {
    field: name,
    value: messageOf(cause),
    is: 'failed for every passage',
    remedy: 'Check that the service of the chat model can be reached, and what its log says.',
    cause,
  });
}

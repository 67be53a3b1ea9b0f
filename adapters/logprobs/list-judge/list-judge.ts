import * as z from 'zod';
import type { Answers, Failed, Judge, Judgement, JudgeRequest } from '../../../src/index.js';
import { groupBy, parseOptions } from '../../../src/internal.js';
import { type ChatModelLike, concurrently } from '../../model-calls/index.js';
import { ChatCaller, type ChatJudgeOptions, chatOptions, SAMPLES } from '../chat-calls.js';
import { listPrompt, relevantIn } from './list-prompt.js';

const optionsSchema = z.strictObject({
  rotations: z.int().min(1).default(2),
  maxPassages: z.int().min(1).default(20),
  ...chatOptions,
});

/** A malformed reply is repeated like a failed call. */
export interface ListJudgeOptions extends ChatJudgeOptions {
  /**
   * How often the model is asked about the same passages, each time in another order: models prefer passages at the
   * beginning or the end of a list. Default 2.
   */
  rotations?: number | undefined;
  /** The largest number of passages in one prompt. Their texts must fit into the context of the model. Default 20. */
  maxPassages?: number | undefined;
}

/**
 * Any LangChain chat model as a judge of lists: one prompt shows up to `maxPassages` passages of one question, and the
 * model replies with the numbers of those that help. So n passages take `rotations * n / maxPassages` requests, rounded
 * up, in place of the n requests of `chatJudge`.
 *
 * The probability of yes is the share of the rotations that name the passage: 0, .5 or 1 by default. The order of the
 * given passages does not count: they are sorted by their texts, and rotation i begins at passage n * i / rotations. Lists
 * that are too long are split into parts of nearly the same length. The passages are data in the prompt, but a text may
 * still persuade a model to name it.
 *
 * The reply must be JSON. A number that no passage has, or a value that is no whole number, makes it malformed; a number
 * that occurs twice counts once. If one of its rotations gets no right reply, all passages of that prompt fail.
 * `identify()` adds a digest of the prompt and of both options.
 *
 * @throws ContextShapingError `invalid-options`; when judging `service`, if all calls fail, or as soon as the
 *   service rejects the key (status 401 or 403) or refuses the connection.
 */
export function listJudge(chatModel: ChatModelLike, options: ListJudgeOptions = {}): Judge {
  const { rotations, maxPassages, maxConcurrency, maxRetries, timeoutMs } = parseOptions(
    optionsSchema,
    options,
  );
  const caller = new ChatCaller(chatModel, maxRetries, timeoutMs);

  return {
    specificationVersion: 'v1',
    provider: 'langchain',
    modelId: caller.name,
    async identify({ signal } = {}) {
      signal?.throwIfAborted();
      return caller.identityOf('list', [rotations, maxPassages, SAMPLES.map((each) => listPrompt([each]))]);
    },

    async judge(requests: readonly JudgeRequest[], { signal } = {}): Promise<Answers<Judgement>> {
      const calls = caller.begin();
      const lists = listsOf(requests, maxPassages);
      const asked = lists.flatMap((list) =>
        startsOf(list.length, rotations).map((start) => ({ list, start })),
      );
      const replies = await concurrently(asked, maxConcurrency, signal, async ({ list, start }, stop) => {
        const shown = [...list.slice(start), ...list.slice(0, start)];
        const prompt = listPrompt(shown.map((place) => requests[place] as JudgeRequest));
        const reply = await calls.ask(prompt, stop, (answer) => relevantIn(answer, shown.length));
        if (!('result' in reply)) return reply;
        return { relevant: new Set(reply.result.map((number) => shown[number - 1])) };
      });
      calls.expectReplies('every list');
      const results = new Array<Judgement | Failed>(requests.length);
      for (const list of lists) {
        const own = replies.filter((_, which) => asked[which]?.list === list);
        const failed = own.find((reply): reply is Failed => 'failure' in reply);
        for (const place of list) {
          const named = own.filter((reply) => 'relevant' in reply && reply.relevant.has(place)).length;
          results[place] = failed ?? { yes: named / own.length };
        }
      }
      return { results, usage: calls.usage };
    },
  };
}

/** The places of the requests that share a prompt. Requests with another question or answer have a list of their own. */
function listsOf(requests: readonly JudgeRequest[], maxPassages: number): number[][] {
  const places = requests.map((_, place) => place);
  const keyOf = (place: number) => {
    const { question, answer, about } = requests[place] as JudgeRequest;
    return JSON.stringify([question, answer ?? null, answer === undefined ? (about ?? null) : null]);
  };
  return [...groupBy(places, keyOf).values()].flatMap((group) => {
    const sorted = group.toSorted((a, b) => {
      const [one, other] = [requests[a]?.passage as string, requests[b]?.passage as string];
      return one < other ? -1 : one > other ? 1 : a - b;
    });
    const parts = Math.ceil(sorted.length / maxPassages);
    return Array.from({ length: parts }, (_, part) =>
      sorted.slice(
        Math.floor((part * sorted.length) / parts),
        Math.floor(((part + 1) * sorted.length) / parts),
      ),
    );
  });
}

/** The distinct places at which rotations begin. */
const startsOf = (length: number, rotations: number): number[] => [
  ...new Set(Array.from({ length: rotations }, (_, turn) => Math.floor((length * turn) / rotations))),
];

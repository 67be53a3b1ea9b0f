import * as z from 'zod';
import { ContextShapingError } from '../../src/index.js';
import { defined, orAborted, parseOptions, rethrowControlFlow } from '../../src/internal.js';
import {
  type ChatModelLike,
  chatModelFailed,
  checkChatModel,
  fenced,
  finalFailure,
  nameOf,
  plain,
  textOf,
} from '../langchain/chat/index.js';
import { withFastFailures } from '../model-calls/index.js';
import type { Rewrite, RewriteRequest } from './types.js';

const LONGEST_QUERY = 300;
const PREFIX = /^(?:(?:web |google )?search(?: query| terms)?|(?:search )?query|keywords)\s*:\s*/i;
const QUOTED = /^(?:"([^"]*)"|“([^”]*)”|'([^']*)'|`([^`]*)`|\*\*([^*]*)\*\*)$/;

const optionsSchema = z.strictObject({ prompt: z.string().min(1).optional() });

export interface ChatRewriteOptions {
  /** Instructions for the query. Default: few words, with the names, numbers and dates of the question. */
  prompt?: string | undefined;
}

const WHAT_IT_IS_LIKE =
  'Write the query that is most likely to find the answer: few words, no sentence. Keep names, numbers, dates and negations, and the language of the question.';

/**
 * A LangChain chat model writes the search query. It sees the earlier queries.
 *
 * @throws ContextShapingError `invalid-options`. The rewrite throws `service` if the call fails, or if the reply is not
 *   one line of at most 300 characters.
 */
export function chatRewrite(chatModel: ChatModelLike, options: ChatRewriteOptions = {}): Rewrite {
  checkChatModel(chatModel);
  const { prompt = WHAT_IT_IS_LIKE } = parseOptions(optionsSchema, options);
  const name = nameOf(chatModel);
  const calling = withFastFailures(chatModel);
  return async (request, { signal } = {}) => {
    signal?.throwIfAborted();
    let reply: string;
    try {
      const call = defined({ signal });
      const asked = calling((model) => model.invoke(rewritingPrompt(request, prompt), call));
      reply = textOf(await orAborted(asked, signal));
    } catch (error) {
      rethrowControlFlow(error, signal);
      throw finalFailure(name, error) ?? chatModelFailed(name, 'failed', error);
    }
    return queryIn(reply, name);
  };
}

function rewritingPrompt({ query, previous }: RewriteRequest, prompt: string): string {
  const texts = { question: query, ...(previous.length === 0 ? {} : { searched: previous.join('\n') }) };
  // Unchecked prose: figures were measured with this prompt.
  return [
    `You write queries for a web search engine. ${fenced(texts)}`,
    prompt,
    ...(previous.length === 0 ? [] : ['What was searched for before did not find it: write another query.']),
    'Reply with the query alone, on one line.',
  ].join('\n\n');
}

function queryIn(reply: string, name: string): string {
  const lines = reply.split(/[\r\n]+/).filter((line) => line.trim() !== '' && !line.startsWith('```'));
  const line = lines.length === 1 ? plain(lines[0] as string) : '';
  // Twice the length leaves room for quotes and prefixes, and bounds the recursion of unwrapped().
  const query = line.length <= 2 * LONGEST_QUERY ? unwrapped(line) : '';
  if (query !== '' && query.length <= LONGEST_QUERY) return query;
  throw new ContextShapingError('service', {
    field: name,
    value: reply,
    is: `must reply with one line of 1 to ${LONGEST_QUERY} characters`,
    remedy: 'Use a model that follows instructions, or the rewrite `keywords`.',
  });
}

/** Without the quotes and prefixes that models add. */
function unwrapped(line: string): string {
  const inner = QUOTED.exec(line)
    ?.slice(1)
    .find((each) => each !== undefined);
  const less = (inner ?? line).replace(PREFIX, '').trim();
  return less === line ? line : unwrapped(less);
}

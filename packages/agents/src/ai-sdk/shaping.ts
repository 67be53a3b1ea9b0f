import { parseOptions } from 'context-shaping/kit';
import * as z from 'zod';
import type {
  ConversationShapingOptions,
  Message,
  RequestReport,
  ToolSchema,
} from '../conversation/index.js';
import { type HostShaping, hostShaping, optionsOf, threadNamer } from '../host.js';
import { type MessageLike, type ProviderData, toHost, toMessages } from './messages.js';

export interface AiSdkShapingOptions extends ConversationShapingOptions {
  /**
   * The conversation: handles of one are not valid in another. A function gets what the AI SDK tells at this place, which
   * for `shapedTool` is nothing. Default: one conversation. See also `withThread`.
   */
  thread?: string | ((call: ThreadCall) => string) | undefined;
  /**
   * Marks the end of prefixes that will be repeated, for providers that cache only marked prompts. `true`: Anthropic's
   * `cacheControl`. Otherwise the provider options of a marked message: `{ bedrock: { cachePoint: { type: 'default' } } }`.
   */
  cacheControl?: boolean | ProviderData | undefined;
}

export interface ThreadCall {
  /** `providerOptions` of the request, for `shapingMiddleware`. */
  providerOptions?: object | undefined;
  /** For `recallTool`: `experimental_context` of `ai` 6; `context` of the tool in `ai` 7. */
  context?: unknown;
}

/** The functions of this adapter share it: the shaper with its store and its handles. */
export interface AiSdkShaping extends HostShaping<ThreadCall> {
  /** The same shaper for one conversation: in a route, the one with the id of the chat. */
  withThread(thread: string): AiSdkShaping;
  /** Provider options of a message that ends a repeated prefix. */
  readonly cacheMark: ProviderData | undefined;
  /** A name for tools that are to be shaped, and do not know their name. */
  readonly toolName: string;
}

const ANTHROPIC: ProviderData = { anthropic: { cacheControl: { type: 'ephemeral' } } };

const ownSchema = z.strictObject({
  cacheControl: z
    .union([z.boolean(), z.record(z.string(), z.record(z.string(), z.unknown()))], {
      error: 'must be true, or provider options of a message',
    })
    .default(false),
});

/**
 * Makes the shaper that `shapedTool`, `shapingMiddleware` and `recallTool` share, so that one recalls the passages that
 * another left out.
 *
 * @throws ContextShapingError `invalid-options`, naming the first option that is wrong.
 */
export function aiSdkShaping(options: AiSdkShapingOptions = {}): AiSdkShaping {
  const { cacheControl: given, ...rest } = optionsOf(options);
  const { cacheControl } = parseOptions(ownSchema, { cacheControl: given });
  const cacheMark = (cacheControl === true ? ANTHROPIC : cacheControl || undefined) as
    | ProviderData
    | undefined;
  const bound = (shared: HostShaping<ThreadCall>): AiSdkShaping => ({
    ...{ ...shared, cacheMark, toolName: rest.tools?.[0] ?? '' },
    withThread: (thread) => bound({ ...shared, threadOf: threadNamer(thread) }),
  });
  return bound(hostShaping(rest));
}

/** A shared shaping as it is, or a new one from its options. */
export const shapingOf = (given: AiSdkShapingOptions | AiSdkShaping): AiSdkShaping =>
  'conversation' in Object(given) ? (given as AiSdkShaping) : aiSdkShaping(given as AiSdkShapingOptions);

/** One request: its messages before and after shaping. */
export interface ShapedList<M> {
  /** The messages that stay. `at`: the index in the given messages. */
  list: { at: number; message: M }[];
  report: RequestReport;
}

export async function shapeList<M extends MessageLike>(
  given: readonly M[],
  { conversation, threadOf, cacheMark }: AiSdkShaping,
  {
    tools,
    signal,
    ...call
  }: ThreadCall & { tools?: readonly ToolSchema[]; signal?: AbortSignal | undefined },
): Promise<ShapedList<M>> {
  const translation = toMessages(given);
  const { messages, breakpoints, report } = await conversation.shapeRequest({
    thread: threadOf(call),
    messages: translation.messages,
    tools,
    signal,
  });
  const marked = new Set(cacheMark === undefined ? [] : breakpoints);
  const list = messages.map(({ at, message }, index) => {
    const after = toHost(given[at] as M, translation.messages[at] as Message, message, translation);
    const providerOptions = marked.has(index) && { ...after.providerOptions, ...cacheMark };
    return { at, message: providerOptions ? { ...after, providerOptions } : after };
  });
  return { list, report };
}

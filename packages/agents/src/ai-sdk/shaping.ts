import { checkNames } from 'context-shaping/internal';
import { parseOptions } from 'context-shaping/kit';
import * as z from 'zod';
import {
  type ConversationShaper,
  type ConversationShapingOptions,
  createConversationShaper,
} from '../conversation/index.js';
import { threadNamer } from '../thread-name.js';
import type { ProviderData } from './types.js';

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
  /** `experimental_context` of `ai` 6; `runtimeContext` of steps and `context` of tools in `ai` 7. */
  context?: unknown;
}

/** The functions of this adapter share it: the shaper with its store and its handles. */
export interface AiSdkShaping {
  readonly conversation: ConversationShaper;
  /** The same shaper for one conversation: in a route, the one with the id of the chat. */
  withThread(thread: string): AiSdkShaping;
  threadOf(call: ThreadCall): string;
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
 * Makes the shaper that `shapedTool`, `shapingMiddleware`, `shapedPrepareStep` and `recallTool` share, so that one
 * recalls the passages that another left out.
 *
 * @throws ContextShapingError `invalid-options`, naming the first option that is wrong.
 */
export function aiSdkShaping(options: AiSdkShapingOptions = {}): AiSdkShaping {
  // Whether they are an object; the shaper checks the names.
  checkNames(options, options as Record<string, unknown>);
  const { thread, cacheControl: given, ...rest } = options;
  const threadOf = threadNamer<ThreadCall>(thread);
  const { cacheControl } = parseOptions(ownSchema, { cacheControl: given });
  const conversation = createConversationShaper(rest);
  const cacheMark = cacheControl === true ? ANTHROPIC : cacheControl || undefined;
  return bound(threadOf, {
    conversation,
    cacheMark: cacheMark as ProviderData | undefined,
    toolName: rest.tools?.[0] ?? '',
  });
}

const bound = (
  threadOf: AiSdkShaping['threadOf'],
  shared: Pick<AiSdkShaping, 'conversation' | 'cacheMark' | 'toolName'>,
): AiSdkShaping => ({
  ...shared,
  threadOf,
  withThread: (other) => bound(threadNamer(other), shared),
});

/** A shared shaping as it is, or a new one from its options. */
export const shapingOf = (given: AiSdkShapingOptions | AiSdkShaping): AiSdkShaping =>
  'conversation' in given ? given : aiSdkShaping(given);

import type { ConversationShapingOptions, Message } from '../conversation/index.js';
import { type HostShaping, hostShaping, optionsOf } from '../host.js';

export interface OpenAiAgentsShapingOptions extends ConversationShapingOptions {
  /**
   * The conversation: handles of one are not valid in another. A function gets the `context` of the run, which is all that
   * the SDK tells a filter. Default: one conversation.
   */
  thread?: string | ((call: ThreadCall) => string) | undefined;
}

export interface ThreadCall {
  /** The `context` that was given to `run`. */
  context: unknown;
}

/** The functions of this adapter share it: the shaper with its store and its handles. */
export interface OpenAiAgentsShaping extends HostShaping<ThreadCall> {
  /** The messages of the newest request of each conversation: a tool of the SDK does not get them. */
  readonly newest: {
    get(thread: string): readonly Message[] | undefined;
    set(thread: string, messages: readonly Message[]): void;
  };
}

/** Conversations whose newest messages are remembered. */
const CONVERSATIONS = 100;

/**
 * Makes what `shapedModelInput`, `shapedTool` and `recallTool` share, so that one recalls what another left out.
 *
 * @throws ContextShapingError `invalid-options`, naming the first option that is wrong.
 */
export function openAiAgentsShaping(options: OpenAiAgentsShapingOptions = {}): OpenAiAgentsShaping {
  const newest = new Map<string, readonly Message[]>();
  return {
    ...hostShaping(optionsOf(options)),
    newest: {
      get: (thread) => newest.get(thread),
      set(thread, messages) {
        newest.delete(thread);
        newest.set(thread, messages);
        const [oldest] = newest.keys();
        if (newest.size > CONVERSATIONS && oldest !== undefined) newest.delete(oldest);
      },
    },
  };
}

/** A shared shaping as it is, or a new one from its options. */
export const shapingOf = (given: OpenAiAgentsShapingOptions | OpenAiAgentsShaping): OpenAiAgentsShaping =>
  'conversation' in Object(given)
    ? (given as OpenAiAgentsShaping)
    : openAiAgentsShaping(given as OpenAiAgentsShapingOptions);

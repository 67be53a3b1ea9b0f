/** Marks messages for the prompt cache of Anthropic. */
import type { BaseMessage } from '@langchain/core/messages';

type Block = Record<string, unknown>;

/** Copies of the messages at these places, with `cache_control` on their last block of text. Those without a text stay. */
export function withCacheControl(
  messages: readonly BaseMessage[],
  places: readonly number[],
): readonly BaseMessage[] {
  return messages.map((message, at) => (places.includes(at) ? marked(message) : message));
}

function marked(message: BaseMessage): BaseMessage {
  const blocks: readonly Block[] =
    typeof message.content === 'string'
      ? message.content === ''
        ? []
        : [{ type: 'text', text: message.content }]
      : (message.content as Block[]);
  const last = blocks.findLastIndex(({ type, text }) => type === 'text' && text !== '');
  if (last < 0) return message;
  const content = blocks.with(last, { ...blocks[last], cache_control: { type: 'ephemeral' } });
  return Object.assign(Object.create(Object.getPrototypeOf(message)), message, { content });
}

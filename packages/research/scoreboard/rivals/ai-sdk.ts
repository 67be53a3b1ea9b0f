import { type ModelMessage, pruneMessages } from 'ai';
import { versionOf } from '../installed.js';
import type { Rival } from '../rival.js';

/** Each chunk is the result of a call. Only age decides, so the best chunk is the newest; older ones go until the rest fits. */
export default {
  name: 'AI SDK',
  package: 'ai',
  version: versionOf('ai'),
  select({ chunks, countTokens }, maxTokens) {
    const messages = chunks.toReversed().flatMap(({ id, text }): ModelMessage[] => [
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: id, toolName: 'read', input: {} }] },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: id, toolName: 'read', output: { type: 'text', value: text } },
        ],
      },
    ]);
    let [fitting, left] = [0, maxTokens];
    for (const { text } of chunks) {
      left -= countTokens(text);
      if (left < 0) break;
      fitting++;
    }
    const pruned = pruneMessages({ messages, toolCalls: `before-last-${2 * fitting}-messages` });
    const ids = new Set(
      pruned.flatMap(({ role, content }) =>
        role === 'tool' ? content.flatMap((part) => ('toolCallId' in part ? part.toolCallId : [])) : [],
      ),
    );
    return chunks.filter(({ id }) => ids.has(id));
  },
} satisfies Rival;

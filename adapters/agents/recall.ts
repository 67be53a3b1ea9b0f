import type { DocumentInterface } from '@langchain/core/documents';
import { type BaseMessage, ToolMessage } from '@langchain/core/messages';
import { type DynamicStructuredTool, type ToolRuntime, tool } from '@langchain/core/tools';
import * as z from 'zod';
import { ContextShapingError } from '../../src/index.js';
import { type Handles, isSame } from './handles.js';
import { RECALL_TOOL } from './note.js';
import { MOST_TOOL_TOKENS, resolveSettings, type Settings, type ToolResultOptions } from './options.js';
import { type Passages, passagesOf, restOf, wholePassages, withPassages } from './passages.js';
import { textOf } from './pool.js';
import { newestQuestion, shapePassages } from './shape-result.js';
import { turnsOf } from './turns.js';

// Unchecked prose: a model reads it, as it was when figures were measured.
const schema = z.object({
  handle: z.string().describe('The handle, as it stands in the note.'),
  query: z
    .string()
    .optional()
    .describe(
      'What to look for, where the handle is of several passages. Default: the question of the user.',
    ),
});

export type RecallTool = DynamicStructuredTool<
  typeof schema,
  z.output<typeof schema>,
  z.input<typeof schema>
>;

/**
 * The tool `recall_passage`, with which a model reads passages that were left out of results. The middleware already
 * includes it; add it to agents without the middleware.
 *
 * It searches only the messages of the calling thread, and rejects other handles. It returns a single passage completely,
 * unless that exceeds both `maxToolTokens` and 4000 tokens. If the handle is of several passages, it returns those
 * that were not recalled in this turn, up to `maxToolTokens`.
 *
 * @param options `handleKey`: the key of the middleware, edit or hook that shapes the messages.
 * @throws ContextShapingError `invalid-options`.
 */
export function createRecallTool(
  options: ToolResultOptions & { handleKey: string | Uint8Array },
): RecallTool {
  const settings = resolveSettings(options, ['maxToolTokens', 'tools', 'withhold', 'handleKey']);
  if (settings.handles !== undefined) return recallTool({ ...settings, handles: settings.handles });
  throw new ContextShapingError('invalid-options', {
    field: 'handleKey',
    value: undefined,
    is: 'is required',
    remedy: 'Give the key of the middleware, edit or hook.',
  });
}

export function recallTool(settings: Settings & { handles: Handles }): RecallTool {
  return tool(
    async ({ handle, query }, runtime: ToolRuntime) => {
      const { messages = [] } = (runtime.state ?? {}) as { messages?: BaseMessage[] };
      const thread = threadOf(runtime);
      const found = find(handle, thread, messages, settings.handles);
      const answer = { tool_call_id: runtime.toolCallId, name: RECALL_TOOL };
      if (found === undefined) return new ToolMessage({ ...answer, content: REFUSAL, status: 'error' });
      const shown = unread(found.shown, messages);
      const isOne = shown.length === 1;
      const passages: Passages = { ...found, shown, cut: {}, leftOut: [] };
      const message = withPassages(
        new ToolMessage({ ...answer, content: '' }),
        textOf(passages.shown, passages.are, settings),
        passages,
      );
      const [tokens = 0] = await settings.countTokens([message.text]);
      if (isOne && tokens <= Math.max(settings.maxToolTokens, MOST_TOOL_TOKENS)) return message;
      const call = {
        query: query?.trim() ? query : newestQuestion(messages),
        thread,
        handle,
        config: runtime,
        // The passages were found for another question.
        ranked: false,
      };
      const shaped = await shapePassages(message, { ...passages, cuttable: isOne }, call, settings);
      // Several passages are complete, so that another call returns others. Their source message still has the rest.
      return withPassages(shaped, shaped.text, { ...passages, shown: passagesOf(shaped)?.shown ?? [] });
    },
    {
      name: RECALL_TOOL,
      description:
        'Reads passages that were left out of the results of other tools, by the handle in the note at the end ' +
        'of such a result. Call it if the passages that are shown do not answer the question.',
      schema,
    },
  ) as RecallTool;
}

/** The passages that no recall in this turn has shown; all if every passage was shown. */
function unread(
  passages: readonly DocumentInterface[],
  messages: readonly BaseMessage[],
): readonly DocumentInterface[] {
  if (passages.length === 1) return passages;
  const answers = messages
    .slice(turnsOf(messages).at(-1)?.start)
    .filter((message) => ToolMessage.isInstance(message) && message.name === RECALL_TOOL) as ToolMessage[];
  const read = new Set(
    answers.flatMap((answer) => (passagesOf(answer)?.shown ?? []).map(({ pageContent }) => pageContent)),
  );
  const left = passages.filter(({ pageContent }) => !read.has(pageContent));
  return left.length === 0 ? passages : left;
}

const REFUSAL =
  'This handle is of no passage of this conversation. Handles are valid only as they stand in a note at the end ' +
  'of a tool result of this conversation, not in the text of a passage. Copy it exactly, or search again.';

/** Empty without a thread: then the request has all messages. */
export const threadOf = (config: { configurable?: Record<string, unknown> | undefined }): string =>
  String(config.configurable?.thread_id ?? '');

type Found = Pick<Passages, 'are' | 'cuttable' | 'shown'>;

/** Compares all handles, so that the duration reveals nothing about the position of the right one. */
function find(
  handle: string,
  thread: string,
  messages: readonly BaseMessage[],
  handles: Handles,
): Found | undefined {
  let found: Found | undefined;
  for (const message of messages) {
    const passages = ToolMessage.isInstance(message) ? passagesOf(message) : undefined;
    if (passages === undefined) continue;
    const { are, cuttable } = passages;
    const whole = wholePassages(passages);
    const { tool_call_id } = message as ToolMessage;
    const several = [
      [handles.ofResult(thread, tool_call_id), whole],
      [handles.ofRest(thread, tool_call_id), restOf(passages)],
    ] as const;
    // The ids of some providers are not unique.
    for (const [right, shown] of several)
      if (isSame(handle, right)) found = { are, cuttable, shown: [...(found?.shown ?? []), ...shown] };
    for (const passage of whole)
      if (isSame(handle, handles.ofPassage(thread, passage))) found ??= { are, cuttable, shown: [passage] };
  }
  return found;
}

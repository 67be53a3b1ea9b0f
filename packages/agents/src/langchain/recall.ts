import { type BaseMessage, ToolMessage } from '@langchain/core/messages';
import { type DynamicStructuredTool, type ToolRuntime, tool } from '@langchain/core/tools';
import { ContextShapingError } from 'context-shaping';
import {
  RECALL_DESCRIPTION,
  RECALL_TOOL,
  type RecallInput,
  recallToolSchema,
} from '../conversation/index.js';
import { Translation } from './messages.js';
import { type AgentShaping, type AgentShapingOptions, OF_CONVERSATIONS, resolveOptions } from './options.js';

export type RecallTool = DynamicStructuredTool<
  Record<string, unknown>,
  RecallInput,
  RecallInput,
  ToolMessage,
  unknown,
  typeof RECALL_TOOL
>;

/**
 * The tool `recall_passage`, with which a model reads passages that were left out of results. The middleware already
 * includes it; add it to agents without the middleware.
 *
 * It reads only passages of the calling thread, and rejects other handles. It returns a single passage completely,
 * unless that exceeds both `maxToolTokens` and 4000 tokens. If the handle is of several passages, it returns those
 * that were not recalled in this turn, up to `maxToolTokens`; or lines by their numbers or by a pattern.
 *
 * @param options `handleKey`: the key of the hook that shapes the messages; and its `store`, unless the graph has one.
 * @throws ContextShapingError `invalid-options`.
 */
export function createRecallTool(
  options: AgentShapingOptions & { handleKey: string | Uint8Array },
): RecallTool {
  const shaping = resolveOptions(options, OF_CONVERSATIONS, { recall: true });
  if (options.handleKey !== undefined) return recallTool(shaping);
  throw new ContextShapingError('invalid-options', {
    field: 'handleKey',
    value: undefined,
    is: 'is required',
    remedy: 'Give the key of the hook.',
  });
}

export function recallTool({ conversation, passages }: AgentShaping): RecallTool {
  return tool(
    async ({ handle, query, lines, pattern }: RecallInput, runtime: ToolRuntime) => {
      const { messages = [] } = (runtime.state ?? {}) as { messages?: BaseMessage[] };
      const translation = new Translation(messages, passages());
      const { toolCallId, signal } = runtime;
      const answer = await conversation.recall({
        handle,
        query,
        lines,
        pattern,
        thread: threadOf(runtime),
        callId: toolCallId,
        messages: translation.messages,
        signal,
      });
      const message = new ToolMessage({
        tool_call_id: toolCallId,
        name: RECALL_TOOL,
        content: answer.text,
        ...(answer.found ? {} : { status: 'error' as const }),
      });
      const content = [{ type: 'text', text: answer.text }] as const;
      const result = { type: 'result', id: toolCallId, tool: RECALL_TOOL, content } as const;
      return answer.passages
        ? translation.withResult(message, { ...result, passages: answer.passages })
        : message;
    },
    { name: RECALL_TOOL, description: RECALL_DESCRIPTION, schema: recallToolSchema },
  ) as unknown as RecallTool;
}

/** Empty without a thread: then the request has all messages. */
export const threadOf = (config: { configurable?: Record<string, unknown> | undefined }): string =>
  String(config.configurable?.thread_id ?? '');

/** The tool that reads what results leave out. */
import { ContextShapingError } from 'context-shaping';
import { isObject } from 'context-shaping/kit';
import {
  type ConversationShaper,
  RECALL_DESCRIPTION,
  RECALL_TOOL,
  type RecallInput,
  readRecallInput,
  recallToolSchema,
} from 'context-shaping-agents';
import { digest } from './digest.js';

/** The hints of tools that only read, from this machine. */
export const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

export const recallTool = {
  name: RECALL_TOOL,
  title: 'Recall left-out passages',
  description: RECALL_DESCRIPTION,
  inputSchema: recallToolSchema,
  annotations: READ_ONLY,
};

/** @throws ContextShapingError `invalid-input`. */
export function recallOf(args: unknown): RecallInput {
  const input = readRecallInput(args);
  if (input !== undefined) return input;
  throw new ContextShapingError('invalid-input', {
    field: 'handle',
    value: isObject(args) ? args.handle : undefined,
    is: 'must be a text',
    remedy: 'Give the handle as it stands in the note.',
  });
}

/** Answers a call. */
export async function recall(
  shaper: ConversationShaper,
  call: RecallInput,
  thread: string,
  signal: AbortSignal,
): Promise<{ isError?: true; content: { type: 'text'; text: string }[] }> {
  const callId = digest([RECALL_TOOL, call]);
  const { found, text } = await shaper.recall({ ...call, thread, callId, signal });
  return { ...(found ? {} : { isError: true }), content: [{ type: 'text', text }] };
}

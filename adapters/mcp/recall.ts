/** The tool that reads what results leave out. */
import { ContextShapingError } from '../../src/index.js';
import { isObject } from '../../src/internal.js';
import { type ConversationShaper, RECALL_TOOL } from '../conversation/index.js';
import { digest } from './digest.js';

export const recallTool = {
  name: RECALL_TOOL,
  title: 'Recall left-out passages',
  description:
    'Reads passages that were left out of the results of other tools, by the handle in the note at the end ' +
    'of such a result. Call it if the passages that are shown do not answer the question.',
  inputSchema: {
    type: 'object',
    properties: {
      handle: { type: 'string', description: 'The handle, as it stands in the note.' },
      query: {
        type: 'string',
        description:
          'What to look for, where the handle is of several passages. Default: the question of the user.',
      },
    },
    required: ['handle'],
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
};

/** Answers a call. */
export async function recall(
  shaper: ConversationShaper,
  args: unknown,
  thread: string,
  signal: AbortSignal,
): Promise<{ isError?: true; content: { type: 'text'; text: string }[] }> {
  const { handle, query } = isObject(args) ? args : {};
  if (typeof handle !== 'string')
    throw new ContextShapingError('invalid-input', {
      field: 'handle',
      value: handle,
      is: 'must be a text',
      remedy: 'Give the handle as it stands in the note.',
    });
  const { found, text } = await shaper.recall({
    handle,
    ...(typeof query === 'string' && { query }),
    thread,
    callId: digest([RECALL_TOOL, handle, query]),
    signal,
  });
  return { ...(found ? {} : { isError: true }), content: [{ type: 'text', text }] };
}

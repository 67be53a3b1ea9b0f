/** The work on a large output. It may take long, so a thread does it, and the hook can give up. */
import { ContextShapingError } from 'context-shaping';
import { shapeToolResult } from 'context-shaping-agents';
import { areBlocks, contentOf, contentText } from 'context-shaping-agents/internal';
import { keepOutput, RECALL_OUTPUT_TOOL } from '../output-store.js';
import type { Output, OutputContent } from './event.js';
import { type HookFlags, Passes } from './flags.js';

/** An output that can be sent to a thread. */
export interface Task extends Omit<Output, 'write' | 'file'> {
  flags: HookFlags;
}

export interface ShapedOutput {
  content: OutputContent;
  note: string;
}

/** Tokens of the words around a handle and of the handle, at most. */
const RECALL_TOKENS = 40;

/**
 * Undefined: the output passes as it is.
 *
 * @throws Passes if nothing of it would stay, or if it cannot be kept; the errors of the shaping.
 */
export async function shapeOutput(
  { content, tool, arguments: args, flags }: Task,
  signal?: AbortSignal,
): Promise<ShapedOutput | undefined> {
  if (typeof content !== 'string' && !areBlocks(content)) return undefined;
  const { maxTokens, minTokens, kind, query, keep, store } = flags;
  const result = await shapeToolResult({
    // The end of the last line would be an empty line.
    content: typeof content === 'string' ? content.replace(/(?<!\n)\n+$/, '') : content,
    maxTokens: store === undefined ? maxTokens : Math.max(1, maxTokens - RECALL_TOKENS),
    kind: kind as never,
    query,
    keep: keep as never,
    tool,
    arguments: args,
    signal,
  });
  const { tokens, blocks, kind: is } = result.report;
  // The beginning of one long block counts as something; the brackets around left-out data do not.
  const isEmpty = is === 'json' || !/[\p{L}\p{N}]/u.test(textOf(result.content));
  if (blocks.sent === 0 && isEmpty) throw new Passes('nothing of it would stay');
  if (tokens.given <= Math.max(minTokens, maxTokens) || tokens.sent >= tokens.given) return undefined;
  const recall = store === undefined ? '' : ` [Whole: ${await keptIn(store, content)}]`;
  return { content: result.content, note: `${result.note}${recall}` };
}

const textOf = (content: OutputContent): string =>
  contentText(contentOf(typeof content === 'string' ? [content] : content));

/** Keeps an output, and returns the call that reads it. @throws Passes if the folder cannot be used. */
async function keptIn(folder: string, content: OutputContent): Promise<string> {
  try {
    return `${RECALL_OUTPUT_TOOL} ${await keepOutput(folder, textOf(content))}`;
  } catch (error) {
    throw new Passes(`the folder of --store cannot be used: ${reasonOf(error)}`);
  }
}

/** The reason why an output passes, without its text: the messages of most errors quote some of it. */
export function reasonOf(error: unknown): string {
  if (error instanceof Passes) return error.message;
  if (ContextShapingError.isInstance(error)) return `${error.field} ${error.problem}`;
  const { name = 'error', code } = error as NodeJS.ErrnoException;
  return `${name}${typeof code === 'string' ? ` ${code}` : ''}`;
}

/**
 * Events of the hooks of Claude Code. The answer to an event replaces the output of the tool. Claude Code refuses a
 * replacement that has not the form of the tool, and shows the output as it was.
 */

/** The part of an event that counts here. Nothing else of it is checked. */
export interface HookEvent {
  hook_event_name: string;
  tool_name?: unknown;
  tool_input?: unknown;
  tool_response?: unknown;
}

/** A text, or the items of a tool of MCP. */
export type OutputContent = string | readonly OutputItem[];
export type OutputItem = { type: string; [field: string]: unknown };

/** The part of an output that a model reads. */
export interface Output {
  tool?: string;
  arguments?: unknown;
  content: OutputContent;
  /** The file that has the whole text, if the content is only the beginning. */
  file?: string;
  /** The answer, or the text, with another content and a note. */
  write(content: OutputContent, note: string): string;
}

/**
 * The field of the output that the model reads, by the name of the tool. `Read` is not here: Claude Code numbers the lines
 * that it gets, and an edit needs all of them. Neither is `Agent`, whose report answers its question already.
 */
const FIELDS: ReadonlyMap<string, string> = new Map([
  ['Bash', 'stdout'],
  ['PowerShell', 'stdout'],
  ['Grep', 'content'],
  ['WebFetch', 'result'],
]);

/** Undefined if the text is no event. */
export function eventOf(text: string): HookEvent | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isRecord(value) && typeof value.hook_event_name === 'string' ? (value as never) : undefined;
}

/** The part of an event that a model reads. Undefined: the output stays as it is. */
export function outputOf(event: HookEvent): Output | undefined {
  const { hook_event_name: name, tool_name: tool, tool_input, tool_response: response } = event;
  if (name !== 'PostToolUse' || typeof tool !== 'string') return undefined;
  const call = { tool, arguments: tool_input };
  if (tool.startsWith('mcp__')) {
    const isContent = typeof response === 'string' || (Array.isArray(response) && response.every(isItem));
    return isContent ? { ...call, content: response, write: (...now) => answer(noted(...now)) } : undefined;
  }
  const field = FIELDS.get(tool);
  if (field === undefined || !isRecord(response)) return undefined;
  // If there is a file, Claude Code shows a preview of it in place of the field.
  const { persistedOutputPath: file, persistedOutputSize: _, ...rest } = response;
  const content = response[field];
  if (typeof content !== 'string' || response.isImage === true) return undefined;
  return {
    ...call,
    content,
    ...(typeof file === 'string' && { file }),
    write: (...now) => answer({ ...rest, [field]: noted(...now) }),
  };
}

/** The content with the note at its end. */
export const noted = (content: OutputContent, note: string): OutputContent =>
  typeof content === 'string'
    ? `${content.replace(/(?<!\n)\n+$/, '')}\n\n${note}`
    : [...content, { type: 'text', text: note }];

const answer = (output: unknown): string =>
  `${JSON.stringify({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: output } })}\n`;

const isItem = (value: unknown): value is OutputItem => isRecord(value) && typeof value.type === 'string';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

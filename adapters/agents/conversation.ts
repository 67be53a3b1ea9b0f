/** Reads a list of messages: which must stay, and which tool results may shrink. */
import { type BaseMessage, ToolMessage } from '@langchain/core/messages';
import type { Chunk } from '../../src/index.js';
import { longestNote, RECALL_TOOL } from './note.js';
import type { Settings } from './options.js';
import { type Passages, passagesOf } from './passages.js';
import { chunksOf, type Member } from './pool.js';
import { countedText, isPinnedMessage, type Turn, turnsOf } from './turns.js';

/** Rough number of tokens that providers add to each message. */
const TOKENS_PER_MESSAGE = 4;

/** A tool result that may shrink. */
export interface Part {
  /** Index of its message. */
  at: number;
  message: ToolMessage;
  passages: Passages;
  isNewest: boolean;
  /** Tokens of its content: unchanged, and reduced to the longest note. */
  tokens: number;
  leastTokens: number;
  handle?: string | undefined;
  pool: { chunk: Chunk; tokens: number }[];
}

export interface Conversation {
  messages: BaseMessage[];
  system: string;
  /** Tokens of each message. */
  costs: readonly number[];
  systemTokens: number;
  turns: readonly Turn[];
  parts: readonly Part[];
  /** Messages of dropped turns. */
  dropped: readonly BaseMessage[];
  tokens: number;
  /** Tokens after the largest possible reduction without dropping turns. Includes the newest results in full if they fit. */
  leastTokens: number;
  newestFits: boolean;
}

export async function readConversation(
  messages: BaseMessage[],
  { system, thread }: { system: string; thread: string },
  settings: Settings & { maxTokens: number },
): Promise<Conversation> {
  const [ofSystem = 0, ...texts] = await settings.countTokens([system, ...messages.map(countedText)]);
  const systemTokens = ofSystem + overheadOf(system);
  const costs = texts.map((tokens) => tokens + TOKENS_PER_MESSAGE);
  const turns = turnsOf(messages);
  const known = { messages, system, costs, systemTokens, turns, dropped: [] };
  // Most lists fit, and need no further analysis.
  const short = balanced({ ...known, parts: [] }, settings.maxTokens);
  if (short.tokens <= settings.maxTokens) return short;
  const newest = turns.at(-1)?.start ?? 0;
  const parts = await Promise.all(
    messages.flatMap((message, at) => {
      const isNewest = at >= newest;
      const passages = shrinkable(message, isNewest, messages, settings);
      if (passages === undefined) return [];
      return [
        readPart(
          { at, message: message as ToolMessage, passages, isNewest },
          texts[at] ?? 0,
          thread,
          settings,
        ),
      ];
    }),
  );
  return balanced(
    { ...known, parts: parts.filter((part) => part.tokens > part.leastTokens) },
    settings.maxTokens,
  );
}

/** The passages of a result that may shrink. Results that are pinned, of unshaped tools, or just recalled may not. */
function shrinkable(
  message: BaseMessage,
  isNewest: boolean,
  messages: readonly BaseMessage[],
  settings: Settings,
): Passages | undefined {
  if (!ToolMessage.isInstance(message) || isPinnedMessage(message)) return undefined;
  const name = message.name ?? callerName(message, messages);
  const isRecalled = name === RECALL_TOOL;
  if (isRecalled ? isNewest : !settings.isShaped(name)) return undefined;
  const passages = passagesOf(message);
  return passages === undefined || passages.shown.length === 0 ? undefined : passages;
}

/** The name of the tool whose call a message answers. */
export function callerName({ tool_call_id }: ToolMessage, messages: readonly BaseMessage[]): string {
  const calls = messages.flatMap((message) =>
    'tool_calls' in message ? (message.tool_calls as ToolCallLike[]) : [],
  );
  return calls.findLast((call) => call.id === tool_call_id)?.name ?? '';
}
type ToolCallLike = { id?: string; name: string };

async function readPart(
  part: Pick<Part, 'at' | 'message' | 'passages' | 'isNewest'>,
  tokens: number,
  thread: string,
  settings: Settings,
): Promise<Part> {
  const { passages, message } = part;
  const toolCallId = message.tool_call_id;
  const handle = settings.handles?.ofResult(thread, toolCallId);
  const { are, cuttable } = passages;
  const members = passages.shown.map(
    (passage, place): Member => ({ passage, are, isWhole: !cuttable, toolCallId, place }),
  );
  // Scores of different searches cannot be compared.
  const chunks = chunksOf(members, settings).map(({ score: _, ...chunk }): Chunk => chunk);
  const note = longestNote(passages.shown.length + passages.leftOut.length, handle);
  const [leastTokens = 0, ...counts] = await settings.countTokens([
    note,
    ...chunks.map(({ rendered }) => rendered ?? ''),
  ]);
  const pool = chunks.map((chunk, at) => ({ chunk, tokens: counts[at] as number }));
  return { ...part, tokens, leastTokens, handle, pool };
}

type Known = Omit<Conversation, 'tokens' | 'leastTokens' | 'newestFits'>;

/** Adds the token sums. */
export function balanced(known: Known, maxTokens: number): Conversation {
  const tokens = known.costs.reduce((sum, each) => sum + each, known.systemTokens);
  const spare = (parts: readonly Part[]) =>
    parts.reduce((sum, part) => sum + part.tokens - part.leastTokens, 0);
  const newest = spare(known.parts.filter(({ isNewest }) => isNewest));
  const older = spare(known.parts.filter(({ isNewest }) => !isNewest));
  const newestFits = tokens - older <= maxTokens;
  return { ...known, tokens, leastTokens: tokens - older - (newestFits ? 0 : newest), newestFits };
}

/** Tokens of all messages, as the budget counts them. */
export async function costOf(
  messages: readonly BaseMessage[],
  system: string,
  settings: Settings,
): Promise<number> {
  const tokens = await settings.countTokens([system, ...messages.map(countedText)]);
  const overhead = messages.length * TOKENS_PER_MESSAGE + overheadOf(system);
  return tokens.reduce((sum, each) => sum + each, overhead);
}

/** A system prompt counts as a message. */
const overheadOf = (system: string) => (system === '' ? 0 : TOKENS_PER_MESSAGE);

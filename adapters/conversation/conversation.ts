/** Reads a list of messages: which must stay, and which results may shrink. */
import type { Chunk } from '../../src/index.js';
import { distinctIds } from '../../src/internal.js';
import type { Message, ResultPart } from './messages.js';
import { longestNote, RECALL_TOOL } from './note.js';
import { chunksOf } from './pool.js';
import { type ReadResult, readResult, wholePassages } from './result.js';
import type { Settings } from './settings.js';
import { entriesOf } from './stored.js';
import { contentText, partSizes, sum } from './tokens.js';
import { type Turn, turnsOf } from './turns.js';

/** A result that may shrink. */
export interface ShrinkablePart {
  /** Index of its message, and its index among the parts. */
  at: number;
  place: number;
  result: ResultPart;
  read: ReadResult;
  isNewest: boolean;
  /** Tokens of its texts: unchanged, and reduced to the longest note. */
  tokens: number;
  leastTokens: number;
  /** The handle of all its passages; absent if they cannot be recalled. */
  handle: string | undefined;
  /** Makes the entries of the store about it. */
  entries?: () => readonly (readonly [key: string, value: string])[];
  /** One entry for each passage: its text, and its chunk with the tokens of the chunk. */
  pool: { text: string; chunk: Chunk; tokens: number }[];
}

export interface Conversation {
  messages: readonly Message[];
  /** Index of each message in the given list. */
  places: readonly number[];
  /** Tokens of each message, and of the tools. */
  costs: readonly number[];
  fixed: number;
  turns: readonly Turn[];
  parts: readonly ShrinkablePart[];
  tokens: number;
  /** Tokens after the largest possible reduction without dropping turns. Includes the newest results in full if they fit. */
  leastTokens: number;
  newestFits: boolean;
}

export async function readConversation(
  messages: readonly Message[],
  { thread, fixed }: { thread: string; fixed: number },
  settings: Settings,
): Promise<Conversation> {
  const { maxTokens = Number.POSITIVE_INFINITY, countTokens } = settings;
  const costs = (await partSizes(messages, countTokens)).map(sum);
  const turns = turnsOf(messages);
  const known = { messages, places: messages.map((_, at) => at), costs, fixed, turns };
  // Most lists fit, and need no further analysis.
  const short = balanced({ ...known, parts: [] }, maxTokens);
  if (short.tokens <= maxTokens) return short;
  const newest = turns.at(-1)?.start ?? 0;
  const parts = await Promise.all(
    messages.flatMap((message, at) =>
      message.parts.flatMap((result, place) => {
        if (result.type !== 'result' || message.pinned) return [];
        const isNewest = at >= newest;
        const read = shrinkable(result, isNewest, thread, settings);
        return read === undefined ? [] : [readPart({ at, place, result, read, isNewest }, thread, settings)];
      }),
    ),
  );
  return balanced({ ...known, parts: parts.filter((part) => part.tokens > part.leastTokens) }, maxTokens);
}

/** The passages of a result that may shrink. Results of unshaped tools and those just recalled may not. */
function shrinkable(
  result: ResultPart,
  isNewest: boolean,
  thread: string,
  { isShaped, handles }: Settings,
): ReadResult | undefined {
  if (result.tool === RECALL_TOOL ? isNewest : !isShaped(result.tool)) return undefined;
  const read = readResult(result, [handles.ofRest(thread, result.id), handles.ofResult(thread, result.id)]);
  return read === undefined || read.shown.length === 0 ? undefined : read;
}

async function readPart(
  part: Pick<ShrinkablePart, 'at' | 'place' | 'result' | 'read' | 'isNewest'>,
  thread: string,
  { handles, recall, countTokens }: Settings,
): Promise<ShrinkablePart> {
  const { read, result } = part;
  const handle = recall ? handles.ofResult(thread, result.id) : undefined;
  // Scores of different searches cannot be compared.
  const chunks = chunksOf(read, result.id, distinctIds()).map(({ score: _, ...chunk }): Chunk => chunk);
  const [tokens = 0, leastTokens = 0, ...counts] = await countTokens([
    contentText(result.content),
    longestNote(read.total, handle),
    ...chunks.map(({ rendered }) => rendered ?? ''),
  ]);
  const pool = chunks.map((chunk, at) => ({
    text: read.shown[at]?.passage.text ?? '',
    chunk,
    tokens: counts[at] as number,
  }));
  const entries = () =>
    entriesOf(
      { callId: result.id, of: 'result', are: read.are, passages: wholePassages(read) },
      thread,
      0,
      handles,
    );
  return { ...part, tokens, leastTokens, handle, pool, ...(recall ? { entries } : {}) };
}

type Known = Omit<Conversation, 'tokens' | 'leastTokens' | 'newestFits'>;

/** Adds the token sums. */
export function balanced(known: Known, maxTokens: number): Conversation {
  const tokens = known.fixed + sum(known.costs);
  const spare = (parts: readonly ShrinkablePart[]) =>
    sum(parts.map((part) => part.tokens - part.leastTokens));
  const newest = spare(known.parts.filter(({ isNewest }) => isNewest));
  const older = spare(known.parts.filter(({ isNewest }) => !isNewest));
  const newestFits = tokens - older <= maxTokens;
  return { ...known, tokens, leastTokens: tokens - older - (newestFits ? 0 : newest), newestFits };
}

/** Tokens of all messages, as the budget counts them. */
export const costOf = async (messages: readonly Message[], { countTokens }: Settings): Promise<number> =>
  sum((await partSizes(messages, countTokens)).map(sum));

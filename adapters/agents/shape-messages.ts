import type { BaseMessage } from '@langchain/core/messages';
import type { Chunk, ShapedChunk, ShapingReport } from '../../src/index.js';
import { distinctIds, patient, tellObservers } from '../../src/internal.js';
import { emitEvicted } from '../documents/index.js';
import { cleanResults } from './clean.js';
import { type Conversation, costOf, type Part, readConversation } from './conversation.js';
import { withoutOldestTurn } from './drop-turn.js';
import { emitDropped } from './events.js';
import { noteOf } from './note.js';
import type { Settings } from './options.js';
import { withPassages } from './passages.js';
import { outcomeOf, textOf, withheldBy } from './pool.js';
import { type Call, newestQuestion } from './shape-result.js';

interface Pooled {
  part: Part;
  chunk: Chunk;
  tokens: number;
}

/**
 * Shapes the messages of one request into `maxTokens`. Returns the same array if they fit and no tool result needs
 * sanitising.
 *
 * Otherwise it leaves out passages that a newer tool result shows as well; then the passages of all older results that are
 * least relevant to the newest question; then passages of the newest turn. System and human messages, answers and tool
 * calls stay unchanged, each call with its result, which may be reduced to a note. If that is not enough, it drops the
 * oldest turns as a whole, until the newest results fit completely, or get a quarter of the room that they would have
 * without other turns.
 *
 * System messages, summaries, pinned messages with their turns, and the newest turn with its notes stay even if they alone
 * exceed `maxTokens`.
 */
export async function shapeMessages(
  given: BaseMessage[],
  { system = '', ...call }: Omit<Call, 'query'> & { system?: string | undefined },
  settings: Settings & { maxTokens: number },
): Promise<BaseMessage[]> {
  const { maxTokens } = settings;
  const { config } = call;
  const messages = cleanResults(given, settings);
  const query = newestQuestion(messages);
  let conversation = await readConversation(messages, { system, thread: call.thread }, settings);
  if (conversation.tokens <= maxTokens) return messages;
  for (;;) {
    for (let rest = withoutOldestTurn(conversation, maxTokens); rest !== undefined; ) {
      conversation = rest;
      rest = withoutOldestTurn(conversation, maxTokens);
    }
    const shaped = await shapeResults(conversation, { ...call, query }, settings);
    const isOver = shaped.tokens > maxTokens;
    const rest = isOver ? withoutOldestTurn(conversation, maxTokens, { anyway: true }) : undefined;
    if (rest === undefined) {
      await emitDropped(conversation.dropped, config);
      if (shaped.report !== undefined)
        await emitEvicted(
          await tellObservers(shaped.report, patient(settings.observers), config.signal),
          config,
        );
      return shaped.messages;
    }
    conversation = rest;
  }
}

interface Shaped {
  messages: BaseMessage[];
  tokens: number;
  /** Absent if there was nothing to shape. */
  report?: ShapingReport;
}

/** Shapes all results that may shrink as one pool, newest first, into the remaining budget. */
async function shapeResults(
  conversation: Conversation,
  { query, config }: Call,
  settings: Settings & { maxTokens: number },
): Promise<Shaped> {
  const { parts, newestFits, tokens: all } = conversation;
  // The messages may fit after turns were dropped.
  if (all <= settings.maxTokens) return { messages: conversation.messages, tokens: all };
  const distinctId = distinctIds();
  const said = new Set<string>();
  const pool = parts.toReversed().flatMap((part): Pooled[] =>
    part.pool
      // Newest results that stay complete keep their duplicates, so only the first copy is in the pool.
      .filter(
        ({ chunk }) => !(part.isNewest && newestFits && (said.has(chunk.text) || !said.add(chunk.text))),
      )
      .map(({ chunk, tokens }) => ({
        part,
        chunk: { ...chunk, id: distinctId(chunk.id, chunk.text) },
        tokens,
      })),
  );
  if (pool.length === 0) return { messages: conversation.messages, tokens: all };
  const newest = pool.filter(({ part }) => part.isNewest);
  const shown = newestFits ? newest.reduce((sum, { tokens }) => sum + tokens, 0) : 0;
  const pinned = new Set(newest.map(({ chunk }) => chunk));
  let room = Math.max(0, settings.maxTokens - conversation.leastTokens);
  for (;;) {
    const shaper = settings.shaperWith({
      k: null,
      budget: { maxTokens: Math.max(1, room + shown), reserve: 0, perSource: null, chunksPerSource: null },
      // The model can recall left-out passages.
      allowEmpty: true,
      pin: (chunk) => pinned.has(chunk),
    });
    const chunks = pool.map(({ chunk }) => chunk);
    const { chunks: kept, report } = await shaper.shape({
      query,
      chunks,
      // Results of several searches have no common order.
      ranked: false,
      signal: config.signal,
    });
    const messages = contentsOf(conversation, pool, kept, report, settings);
    const tokens = await costOf(messages, conversation.system, settings);
    if (tokens <= settings.maxTokens || room === 0) return { messages, tokens, report };
    // In rare cases a joined text has more tokens than its parts together.
    room = Math.max(0, room - (tokens - settings.maxTokens));
  }
}

/** The messages with their kept passages, in original order. */
function contentsOf(
  { messages, parts, newestFits }: Conversation,
  pool: readonly Pooled[],
  kept: readonly ShapedChunk[],
  report: ShapingReport,
  settings: Settings,
): BaseMessage[] {
  const { evicted } = report;
  const shaped = [...messages];
  const withheld = withheldBy(report, settings);
  const said = new Set(kept.map(({ index }) => pool[index]?.chunk.rendered));
  for (const part of parts) {
    if (part.isNewest && newestFits) continue;
    const { message, passages, at, handle } = part;
    const start = pool.findIndex((each) => each.part === part);
    const isOurs = ({ index }: { index: number }) => pool[index]?.part === part;
    const own = <T extends { index: number }>(all: readonly T[]): T[] =>
      all.filter(isOurs).map((each) => ({ ...each, index: each.index - start }));
    const stay = own(kept.filter(({ index }) => !withheld.has(index))).toSorted((a, b) => a.index - b.index);
    if (stay.length === passages.shown.length && stay.every(({ excerpts }) => excerpts === undefined))
      continue;
    const gone = own(evicted);
    const apart = new Set(own(kept.filter(({ index }) => withheld.has(index))).map(({ index }) => index));
    const outcome = outcomeOf(passages, { kept: stay, withheld: apart, evicted: gone }, said, settings);
    const note = noteOf({
      total: passages.shown.length + passages.leftOut.length,
      leftOut: outcome.leftOut.length + Object.keys(outcome.cut).length,
      repeated: gone.length + apart.size - (outcome.leftOut.length - passages.leftOut.length),
      handle,
    });
    const text = textOf(outcome.shown, passages.are, settings);
    const content = [text, note].filter((each) => each !== '').join('\n\n');
    shaped[at] = withPassages(message, content, outcome);
  }
  return shaped;
}

/**
 * The strategy that shapes all older results for the newest question, in each request. It keeps the most relevant passages
 * of all turns, at the price of the provider's cache.
 */
import type { Chunk, ShapedChunk, ShapingReport } from '../../src/index.js';
import { distinctIds, patient, tellObservers } from '../../src/internal.js';
import { withContent } from './arrive.js';
import { rebuild, withNote } from './content.js';
import { type Conversation, costOf, readConversation, type ShrinkablePart } from './conversation.js';
import { withoutOldestTurn } from './drop-turn.js';
import { cutIn, toHeld, toStored } from './held.js';
import type { Message, Part, ResultPart } from './messages.js';
import { noteOf } from './note.js';
import { outcomeOf, withheldBy } from './pool.js';
import { lostFrames } from './result.js';
import type { Settings } from './settings.js';
import { contentText, sum } from './tokens.js';
import { historyOf, newestQuestion, queryWith } from './turns.js';

interface Pooled {
  part: ShrinkablePart;
  /** The text of the passage. */
  text: string;
  chunk: Chunk;
  tokens: number;
}

export interface ShapedList {
  messages: readonly Message[];
  /** Index of each message in the given list. */
  places: readonly number[];
  report?: ShapingReport;
  /** Number of passages that each shaped result shows, and what a store keeps of it. By message and part. */
  shaped: ReadonlyMap<
    ResultPart,
    { shown: number; entries: readonly (readonly [key: string, value: string])[] }
  >;
}

/**
 * Shapes messages into `maxTokens`. It leaves out passages that a newer result shows as well; then the passages of all older
 * results that are least relevant to the newest question; then passages of the newest turn. Texts and calls stay unchanged,
 * each call with its result, which may be reduced to a note. If that is not enough, it drops the oldest turns as a whole,
 * until the newest results fit completely, or get a quarter of the room that they would have without other turns.
 *
 * System messages, standing messages, pinned messages with their turns, and the newest turn with its notes stay even if they
 * alone exceed `maxTokens`.
 */
export async function shapeForNewest(
  messages: readonly Message[],
  call: { thread: string; fixed: number; signal?: AbortSignal | undefined },
  settings: Settings,
): Promise<ShapedList> {
  const { maxTokens = Number.POSITIVE_INFINITY } = settings;
  let conversation = await readConversation(messages, call, settings);
  if (conversation.tokens <= maxTokens) return { messages, places: conversation.places, shaped: new Map() };
  for (;;) {
    for (let rest = withoutOldestTurn(conversation, maxTokens); rest !== undefined; ) {
      conversation = rest;
      rest = withoutOldestTurn(conversation, maxTokens);
    }
    const shaped = await shapeResults(conversation, messages, call, settings);
    const isOver = shaped.tokens > maxTokens;
    const rest = isOver ? withoutOldestTurn(conversation, maxTokens, { anyway: true }) : undefined;
    if (rest === undefined) {
      if (shaped.report === undefined) return shaped;
      const report = await tellObservers(shaped.report, patient(settings.observers), call.signal);
      return { ...shaped, report };
    }
    conversation = rest;
  }
}

/** Shapes all results that may shrink as one pool, newest first, into the remaining budget. */
async function shapeResults(
  conversation: Conversation,
  given: readonly Message[],
  { signal }: { signal?: AbortSignal | undefined },
  settings: Settings,
): Promise<ShapedList & { tokens: number }> {
  const { maxTokens = Number.POSITIVE_INFINITY } = settings;
  const { parts, newestFits, tokens: all, messages, places, fixed } = conversation;
  const unchanged = { messages, places, tokens: all, shaped: new Map() };
  // The messages may fit after turns were dropped.
  if (all <= maxTokens) return unchanged;
  const distinctId = distinctIds();
  const said = new Set<string>();
  const pool = parts.toReversed().flatMap((part): Pooled[] =>
    part.pool
      // Newest results that stay complete keep their duplicates, so only the first copy is in the pool.
      .filter(
        ({ chunk }) => !(part.isNewest && newestFits && (said.has(chunk.text) || !said.add(chunk.text))),
      )
      .map(({ text, chunk, tokens }) => ({
        part,
        text,
        chunk: { ...chunk, id: distinctId(chunk.id, chunk.text) },
        tokens,
      })),
  );
  if (pool.length === 0) return unchanged;
  const newest = pool.filter(({ part }) => part.isNewest);
  const shown = newestFits ? sum(newest.map(({ tokens }) => tokens)) : 0;
  const pinned = new Set(newest.map(({ chunk }) => chunk));
  const asked = queryWith({ query: newestQuestion(given), history: historyOf(given) });
  let room = Math.max(0, maxTokens - conversation.leastTokens);
  for (;;) {
    const shaper = settings.shaperWith({
      k: null,
      budget: { maxTokens: Math.max(1, room + shown), reserve: 0, perSource: null, chunksPerSource: null },
      // The model can recall left-out passages.
      allowEmpty: true,
      pin: (chunk) => pinned.has(chunk),
    });
    const { chunks: kept, report } = await shaper.shape({
      query: asked,
      chunks: pool.map(({ chunk }) => chunk),
      // Results of several searches have no common order.
      ranked: false,
      signal,
    });
    const list = contentsOf(conversation, pool, kept, report, settings);
    const tokens = (await costOf(list.messages, settings)) + fixed;
    if (tokens <= maxTokens || room === 0) return { ...list, places, tokens, report };
    // The frames of data have tokens too, and a joined text can have more tokens than its parts together.
    room = Math.max(0, room - (tokens - maxTokens));
  }
}

/** The messages with their kept passages, in original order. */
function contentsOf(
  { messages, parts, newestFits }: Conversation,
  pool: readonly Pooled[],
  kept: readonly ShapedChunk[],
  report: ShapingReport,
  settings: Settings,
): Pick<ShapedList, 'messages' | 'shaped'> {
  const { evicted } = report;
  const list = [...messages];
  const shaped = new Map<ResultPart, { shown: number; entries: readonly (readonly [string, string])[] }>();
  const withheld = withheldBy(report, settings);
  const said = new Set(kept.map(({ index }) => pool[index]?.text ?? ''));
  for (const part of parts) {
    if (part.isNewest && newestFits) continue;
    const { result, read, at, place, handle } = part;
    const start = pool.findIndex((each) => each.part === part);
    const isOurs = ({ index }: { index: number }) => pool[index]?.part === part;
    const own = <T extends { index: number }>(all: readonly T[]): T[] =>
      all.filter(isOurs).map((each) => ({ ...each, index: each.index - start }));
    const stay = own(kept.filter(({ index }) => !withheld.has(index))).toSorted((a, b) => a.index - b.index);
    if (stay.length === read.shown.length && stay.every(({ excerpts }) => excerpts === undefined)) continue;
    const gone = own(evicted);
    const apart = new Set(own(kept.filter(({ index }) => withheld.has(index))).map(({ index }) => index));
    const outcome = outcomeOf(read, { kept: stay, withheld: apart, evicted: gone }, said, settings);
    const note = noteOf({
      total: read.total,
      leftOut: outcome.leftOut.length + outcome.kept.filter(({ whole }) => whole !== undefined).length,
      repeated: gone.length + apart.size - (outcome.leftOut.length - read.leftOut.length),
      handle,
    });
    const content = withNote(rebuild(read, outcome.kept, settings, { frames: stay.length > 0 }), note);
    const documents = read.are === 'documents';
    const places = outcome.kept.map(({ index }) => index);
    const held = toHeld(contentText(content), {
      documents,
      note,
      total: read.total,
      shown: outcome.kept.length,
      cut: cutIn(outcome.kept),
      leftOut: [...outcome.leftOut, ...lostFrames(read, places, stay.length === 0)].map(toStored),
    });
    const passages = outcome.kept.map(({ passage }) => passage);
    const now = withContent(result, content, held, documents ? passages : undefined);
    shaped.set(now, {
      shown: outcome.kept.length,
      entries: part.entries === undefined ? [] : part.entries(),
    });
    const message = list[at] as Message;
    list[at] = { ...message, parts: message.parts.with(place, now) as Part[] };
  }
  return { messages: list, shaped };
}

/**
 * Decides what a request sends, so that prompt caches are kept: each result stays as it was first sent, until a rare batch
 * relieves it. All of it depends on the list of messages alone, so that each process sends the same, with and without a
 * memory.
 */
import type { ShapingReport } from 'context-shaping';
import { defined, digestOf } from 'context-shaping/kit';
import { type Arrivals, type Arrived, relieved } from './arrive.js';
import type { ConversationRequest, RequestReport, ResultEntry } from './conversation-shaper.js';
import type { Message, ResultPart } from './messages.js';
import { noteOf, RECALL_TOOL } from './note.js';
import type { Settings } from './options.js';
import { planRelief, type ReliefLevel, requestEnds } from './plan-relief.js';
import type { ReadResult } from './result.js';
import type { Entry } from './stored.js';
import { contentTokens, imagesIn, partSizes, piecesIn, sum, toolTokens, unknownIn } from './tokens.js';
import { type Unit, unitsOf } from './turns.js';

/** The decisions about a list of messages. */
export interface PlannedRequest {
  /** The messages as they are sent, at their indices in the given list; undefined if dropped. */
  sent: readonly (Message | undefined)[];
  /** Indices in the given list. */
  breakpoints: readonly number[];
  shapings: readonly ShapingReport[];
  entries: readonly Entry[];
  report: RequestReport;
}

/** A result in the list. */
interface Slot {
  at: number;
  part: number;
  given: ResultPart;
  arrived: Arrived;
  /** Tokens of its part: as given, as first sent, and reduced to its note. */
  tokens: number;
  full: number;
  noted: number;
  note: string;
  /** The option that gave it a share. */
  limit?: ResultEntry['limit'];
}

export async function planRequest(
  { thread, messages, tools = [], signal }: ConversationRequest,
  arrivals: Arrivals,
  settings: Settings,
): Promise<PlannedRequest> {
  const { countTokens, images, high, low, prices } = settings;
  const [sizes, fixed] = await Promise.all([
    partSizes(messages, countTokens, images),
    toolTokens(tools, countTokens),
  ]);
  const slots = messages.map((): (Slot | undefined)[] => []);
  const shapings: ShapingReport[] = [];
  const arrive = async (at: number, part: number, given: ResultPart, now = given, most?: number) => {
    const arrived: Arrived = messages[at]?.pinned
      ? { result: given, isShaped: false, shown: 0, entries: [] }
      : await arrivals.arrive(now, { thread, messages: messages.slice(0, at), signal }, most);
    if (arrived.report !== undefined) shapings.push(arrived.report);
    const tokens = sizes[at]?.[part] as number;
    const measured = await slotSizes(arrived, tokens, given, thread, settings);
    (slots[at] as Slot[])[part] = { at, part, given, arrived, tokens, ...measured };
  };
  for (const [at, { parts }] of messages.entries())
    for (const [place, part] of parts.entries()) if (part.type === 'result') await arrive(at, place, part);

  const units = unitsOf(messages);
  const slotsIn = ({ start, end }: Unit) =>
    slots.slice(start, end).flatMap((own) => own.filter((slot) => slot !== undefined));
  /** Tokens of a unit with its results as first sent, or as notes. */
  const unitTokens = (unit: Unit, size: 'full' | 'noted'): number =>
    sum(sizes.slice(unit.start, unit.end).flat()) +
    sum(slotsIn(unit).map((slot) => slot[size] - slot.tokens));

  // New results for which even a request without all older ones has no room share it.
  let start = 0;
  for (const end of requestEnds(units)) {
    const fresh = units.slice(start, end);
    const newest = fresh.at(-1)?.turn;
    const before = units.slice(0, start).filter(({ canDrop, turn }) => !canDrop || turn === newest);
    start = end;
    const least = fixed + sum(before.map((unit) => unitTokens(unit, 'noted')));
    const all = sum(fresh.map((unit) => unitTokens(unit, 'full')));
    const own = fresh.flatMap(slotsIn);
    if (least + all <= high) continue;
    const mayShrink = own.filter(({ given, noted, full }) => given.tool !== RECALL_TOOL && noted < full);
    const room = high - least - all + sum(mayShrink.map(({ full }) => full));
    for (const [slot, most] of shares(mayShrink, room)) {
      const [content = 0] = await contentTokens([slot.arrived.result.content], countTokens);
      const beside = slot.full - content;
      await arrive(slot.at, slot.part, slot.given, slot.arrived.result, Math.max(1, most - beside));
      const now = slots[slot.at]?.[slot.part] as Slot;
      now.limit = 'maxTokens';
    }
    // The model reads a recalled passage before it can go.
    const must = least + all - sum(mayShrink.map(({ full, noted }) => full - noted));
    if (must > high) for (const slot of own) if (slot.given.tool === RECALL_TOOL) slot.noted = slot.full;
  }

  const plan = planRelief(
    units.map((unit) => ({ ...unit, full: unitTokens(unit, 'full'), noted: unitTokens(unit, 'noted') })),
    { fixed, high: finite(high), low: finite(low), prices },
  );
  const levels = units.flatMap(({ start, end }, number) =>
    Array<ReliefLevel>(end - start).fill(plan.levels[number] as ReliefLevel),
  );
  const decisions = slots.map((own, at) =>
    own.map((slot) => slot && decided(slot, levels[at] as ReliefLevel, thread, settings)),
  );
  const sent = messages.map((message, at) => {
    if (levels[at] === 'dropped') return undefined;
    const parts = message.parts.map((part, place) => decisions[at]?.[place]?.sent ?? part);
    return parts.every((part, place) => part === message.parts[place]) ? message : { ...message, parts };
  });
  const made = decisions.flat().filter((decision) => decision !== undefined);
  const results = made.map(({ entry }) => entry);
  const dropped = sent.flatMap((message, at) => (message === undefined ? [at] : []));
  const { stablePrefixTokens, tokens, cost, rewrites } = plan;
  const stay = piecesIn(sent.filter((message) => message !== undefined));
  const report: RequestReport = {
    tokens: {
      given: fixed + sum(sizes.flat()),
      sent: plan.total,
      system: sum(messages.flatMap(({ role }, at) => (role === 'system' ? (sizes[at] ?? []) : []))),
      tools: fixed,
    },
    unknown: unknownIn(stay, images),
    ...defined({ images: imagesIn(stay, images) }),
    results,
    ...defined({ recalls: recallsIn(results) }),
    dropped,
    cache: { stablePrefixTokens, tokens, cost, rewrites },
    digest: decisionsDigest(results, sum(dropped.map((at) => (messages[at] as Message).parts.length))),
  };
  return {
    sent,
    breakpoints: plan.breakpoints.map((number) => (units[number] as Unit).end - 1),
    shapings,
    entries: made.flatMap(({ entries }) => entries),
    report,
  };
}

function recallsIn(results: readonly ResultEntry[]): RequestReport['recalls'] {
  const answers = results.filter(({ tool }) => tool === RECALL_TOOL);
  const less = results.filter(({ tool, state }) => tool !== RECALL_TOOL && state !== 'whole').length;
  if (less === 0) return undefined;
  const tokens = sum(answers.map((each) => each.tokens.given));
  return { calls: answers.length, tokens, rate: answers.length / less };
}

/** The planner computes differences. */
const finite = (tokens: number) => Math.min(tokens, Number.MAX_SAFE_INTEGER);

/** Tokens of the result as it is first sent, and with its note alone. */
async function slotSizes(
  { result, read }: Arrived,
  tokens: number,
  given: ResultPart,
  thread: string,
  { countTokens, handles, recall }: Settings,
): Promise<Pick<Slot, 'full' | 'noted' | 'note'>> {
  const noteAlone = ({ total, tag }: ReadResult) => {
    const handle = recall ? handles.of('result', thread, given.id, tag) : undefined;
    return noteOf({ total, leftOut: total, handle });
  };
  const note = read === undefined ? '' : noteAlone(read);
  const others = given.content.filter(({ type }) => type === 'other');
  const [before = 0, now = 0, least = 0] = await contentTokens(
    [given.content, result.content, [...others, { type: 'text', text: note }]],
    countTokens,
  );
  const full = tokens - before + now;
  return { full, noted: read === undefined ? full : Math.min(full, tokens - before + least), note };
}

/** Divides the room: small results stay as they are, and the others get equal shares. */
function shares(slots: readonly Slot[], room: number): [Slot, number][] {
  const given: [Slot, number][] = [];
  let left = Math.max(0, room);
  const ascending = slots.toSorted((a, b) => a.full - b.full || a.at - b.at || a.part - b.part);
  for (const [place, slot] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - place));
    if (slot.full > share) given.push([slot, share]);
    left -= Math.min(slot.full, share);
  }
  return given;
}

/** The decision on a result: how it is sent, its entry in the report, and its entries for the store. */
function decided(
  { given, arrived, tokens, full, noted, note, limit }: Slot,
  level: ReliefLevel,
  thread: string,
  settings: Settings,
): { sent: ResultPart; entry: ResultEntry; entries: readonly Entry[] } {
  const { read } = arrived;
  const as = (
    state: ResultEntry['state'],
    { result, entries, shown }: Pick<Arrived, 'result' | 'entries' | 'shown'>,
    sent: number,
  ) => ({
    sent: result,
    entry: {
      id: given.id,
      tool: given.tool,
      state,
      tokens: { given: tokens, sent },
      passages: { given: read?.total ?? 0, sent: shown },
      ...(state === 'shaped' && defined({ limit })),
    },
    entries,
  });
  if (level === 'dropped') return as('dropped', { result: given, entries: [], shown: 0 }, 0);
  if (level === 'noted' && noted < full && read !== undefined)
    return as('relieved', { ...relieved(given, read, note, thread, settings), shown: 0 }, noted);
  return as(arrived.isShaped ? 'shaped' : 'whole', arrived, full);
}

/**
 * SHA-256 of the decisions. Hosts divide a conversation into messages differently, and agree on its parts. The number of
 * passages that a shaped text shows is not exact.
 */
function decisionsDigest(results: readonly ResultEntry[], droppedParts: number): string {
  const decisions = results.map(({ id, tool, state, tokens, passages }) => [
    id,
    tool,
    state,
    tokens.sent,
    passages.given,
  ]);
  return digestOf(JSON.stringify([decisions, droppedParts]));
}

/**
 * The strategy that keeps prompt caches: each result stays as it was first sent, until a rare batch relieves it. All of it
 * depends on the list of messages alone, so that each process sends the same, with and without a memory.
 */
import type { ShapingReport } from '../../src/index.js';
import type { Arrivals, Arrived } from './arrive.js';
import type { CacheUse } from './conversation-shaper.js';
import type { Message, Part, ResultPart, ToolSchema } from './messages.js';
import { noteOf, RECALL_TOOL } from './note.js';
import { planRelief } from './relief/plan-relief.js';
import { relieved } from './relieve.js';
import type { Settings } from './settings.js';
import { contentText, partSizes, sum, toolTokens } from './tokens.js';
import { type Unit, unitsOf } from './units.js';

/** The decision about a result. */
export interface Fate {
  arrived: Arrived;
  given: ResultPart;
  state: 'whole' | 'shaped' | 'relieved' | 'dropped';
  /** As it is sent. */
  sent: ResultPart;
  tokens: { given: number; sent: number };
  /** Number of the passages that are shown. */
  shown: number;
}

/** The decisions about a list of messages. */
export interface Planned {
  /** The messages as they are sent, at their indices in the given list; undefined if dropped. */
  sent: readonly (Message | undefined)[];
  fates: readonly Fate[];
  tokens: { given: number; sent: number; system: number; tools: number };
  cache: CacheUse;
  /** Indices in the given list. */
  breakpoints: readonly number[];
  reports: readonly ShapingReport[];
  /** Entries of the store. */
  entries: readonly (readonly [key: string, value: string])[];
}

interface Request {
  thread: string;
  messages: readonly Message[];
  tools: readonly ToolSchema[];
  signal?: AbortSignal | undefined;
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
}

export async function cacheStable(
  { thread, messages, tools, signal }: Request,
  arrivals: Arrivals,
  settings: Settings,
): Promise<Planned> {
  const { countTokens, high, low, prices, expectedRequests } = settings;
  const [sizes, fixed] = await Promise.all([
    partSizes(messages, countTokens),
    toolTokens(tools, countTokens),
  ]);
  const slots = new Map<string, Slot>();
  const reports: ShapingReport[] = [];
  const arrive = async (
    at: number,
    part: number,
    given: ResultPart,
    now = given,
    most?: number,
  ): Promise<void> => {
    const message = messages[at] as Message;
    const arrived: Arrived = message.pinned
      ? { result: given, isShaped: false, shown: 0, entries: [] }
      : await arrivals.arrive(now, { thread, messages: messages.slice(0, at), signal }, most);
    if (arrived.report !== undefined) reports.push(arrived.report);
    const tokens = sizes[at]?.[part] as number;
    slots.set(`${at}.${part}`, {
      ...{ at, part, given, arrived, tokens },
      ...(await slotSizes(arrived, tokens, given, thread, settings)),
    });
  };
  for (const [at, { parts }] of messages.entries())
    for (const [place, part] of parts.entries()) if (part.type === 'result') await arrive(at, place, part);

  const units = unitsOf(messages);
  const isAll = (_: Slot) => true;
  /** Tokens of a unit with these of its results as notes. */
  const unitTokens = ({ start, end }: Unit, isNoted: (slot: Slot) => boolean): number => {
    let tokens = 0;
    for (let at = start; at < end; at++)
      for (const [part, size] of (sizes[at] ?? []).entries()) {
        const slot = slots.get(`${at}.${part}`);
        tokens += slot === undefined ? size : isNoted(slot) ? slot.noted : slot.full;
      }
    return tokens;
  };
  const slotsIn = ({ start, end }: Unit) => [...slots.values()].filter(({ at }) => at >= start && at < end);

  // Results for which even a request without all older ones has no room are shaped into the room that there is.
  for (const { before, fresh } of requestsOf(units)) {
    const newest = fresh.at(-1)?.turn;
    const least = before
      .filter(({ canDrop, turn }) => !canDrop || turn === newest)
      .reduce((all, unit) => all + unitTokens(unit, isAll), fixed);
    const all = fresh.reduce((tokens, unit) => tokens + unitTokens(unit, () => false), 0);
    if (least + all <= high) continue;
    const own = fresh.flatMap(slotsIn);
    const mayShrink = own.filter(({ given, noted, full }) => given.tool !== RECALL_TOOL && noted < full);
    const room = high - least - all + sum(mayShrink.map(({ full }) => full));
    for (const [slot, most] of shares(mayShrink, room)) {
      const beside = slot.full - (await contentTokens(slot.arrived.result, settings));
      await arrive(slot.at, slot.part, slot.given, slot.arrived.result, Math.max(1, most - beside));
    }
    // The model reads a recalled passage before it can go.
    const must = least + all - sum(mayShrink.map(({ full, noted }) => full - noted));
    if (must > high) for (const slot of own) if (slot.given.tool === RECALL_TOOL) slot.noted = slot.full;
  }

  const plan = planRelief(
    units.map((unit) => ({
      full: unitTokens(unit, () => false),
      noted: unitTokens(unit, isAll),
      turn: unit.turn,
      canDrop: unit.canDrop,
      isAnswer: unit.isAnswer,
    })),
    {
      fixed,
      high: finite(high),
      low: finite(low),
      prices,
      ...(expectedRequests === undefined ? {} : { expectedRequests }),
    },
  );

  const sent: (Message | undefined)[] = [...messages];
  const fates: Fate[] = [];
  const entries: Planned['entries'][number][] = [];
  for (const [number, unit] of units.entries()) {
    const level = plan.levels[number];
    for (let at = unit.start; at < unit.end; at++) {
      const message = messages[at] as Message;
      const parts = message.parts.map((part, place): Part => {
        const slot = slots.get(`${at}.${place}`);
        if (slot === undefined) return part;
        const isRelieved = level === 'noted' && slot.noted < slot.full;
        const fate = fateOf(
          slot,
          level === 'dropped',
          isRelieved ? relieved(slot, thread, settings) : undefined,
        );
        fates.push(fate.fate);
        if (level !== 'dropped') entries.push(...fate.entries);
        return fate.fate.sent;
      });
      const isSame = parts.every((part, place) => part === message.parts[place]);
      sent[at] = level === 'dropped' ? undefined : isSame ? message : { ...message, parts };
    }
  }
  return {
    sent,
    fates,
    tokens: {
      given: fixed + sum(sizes.flat()),
      sent: plan.total,
      system: sum(messages.flatMap(({ role }, at) => (role === 'system' ? (sizes[at] ?? []) : []))),
      tools: fixed,
    },
    cache: {
      stablePrefixTokens: plan.stablePrefixTokens,
      tokens: plan.tokens,
      cost: plan.cost,
      rewrites: plan.rewrites,
    },
    breakpoints: plan.breakpoints.map((number) => (units[number] as Unit).end - 1),
    reports,
    entries,
  };
}

/** The planner computes differences. */
const finite = (tokens: number) => Math.min(tokens, Number.MAX_SAFE_INTEGER);

async function contentTokens({ content }: ResultPart, { countTokens }: Settings): Promise<number> {
  const [tokens = 0] = await countTokens([contentText(content)]);
  return tokens;
}

/** Tokens of the result as it is first sent, and with its note alone. */
async function slotSizes(
  { result, read }: Arrived,
  tokens: number,
  given: ResultPart,
  thread: string,
  { countTokens, handles, recall }: Settings,
): Promise<{ full: number; noted: number; note: string }> {
  const note =
    read === undefined
      ? ''
      : noteOf({
          total: read.total,
          leftOut: read.total,
          handle: recall ? handles.ofResult(thread, given.id) : undefined,
        });
  const [before = 0, now = 0, least = 0] = await countTokens([
    contentText(given.content),
    contentText(result.content),
    note,
  ]);
  const full = tokens - before + now;
  return { full, noted: read === undefined ? full : Math.min(full, tokens - before + least), note };
}

/** For each request, the units before its newest results, and the units that it sends first. */
function* requestsOf(units: readonly Unit[]): Generator<{ before: Unit[]; fresh: Unit[] }> {
  let start = 0;
  for (let end = 1; end <= units.length; end++) {
    const isEnd = end === units.length || (units[end]?.isAnswer && !units[end - 1]?.isAnswer);
    if (!isEnd) continue;
    yield { before: units.slice(0, start), fresh: units.slice(start, end) };
    start = end;
  }
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

function fateOf(
  { given, arrived, tokens, full, noted }: Slot,
  isDropped: boolean,
  relief: { result: ResultPart; entries: Planned['entries'] } | undefined,
): { fate: Fate; entries: Planned['entries'] } {
  const { result, isShaped, shown, entries } = arrived;
  if (isDropped)
    return {
      fate: { arrived, given, state: 'dropped', sent: given, tokens: { given: tokens, sent: 0 }, shown: 0 },
      entries,
    };
  if (relief !== undefined)
    return {
      fate: {
        arrived,
        given,
        state: 'relieved',
        sent: relief.result,
        tokens: { given: tokens, sent: noted },
        shown: 0,
      },
      entries: relief.entries,
    };
  const state = isShaped ? 'shaped' : 'whole';
  return {
    fate: { arrived, given, state, sent: result, tokens: { given: tokens, sent: full }, shown },
    entries,
  };
}

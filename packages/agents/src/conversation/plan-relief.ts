/** Plans which older results of a conversation are relieved, by numbers alone: messages and texts are not known here. */

/**
 * The tokens of one message. They depend only on the messages before it and on the options, because the plans of
 * earlier requests are made again from the same numbers.
 */
export interface MessageSize {
  /** Tokens of the message as it was first sent. */
  full: number;
  /** Tokens with its results reduced to their notes. At most `full`; equal if nothing in it can be relieved. */
  noted: number;
  /** Number of its turn. Never less than that of the message before. */
  turn: number;
  /** False: it stays if its turn is dropped (system prompts, standing messages, all messages of a pinned turn). */
  canDrop: boolean;
  /**
   * The model wrote it, so a request was sent with all messages before it. Adjacent messages of the model are one answer.
   */
  isAnswer: boolean;
}

/** Prices of a provider with a prompt cache, in prices of one input token. */
export interface Prices {
  /** A token that the cache has. */
  read: number;
  /** A token that is written to the cache. */
  write: number;
}

export interface ReliefSettings {
  /** Tokens of every request before its messages: tools, and a system prompt that is not among the messages. */
  fixed: number;
  /** A request with more tokens forces a batch. */
  high: number;
  /** A batch relieves until the request has at most this many tokens. At most `high`. */
  low: number;
  prices: Prices;
}

/** `full`: as first sent. `noted`: results are reduced to their notes. `dropped`: not sent. It never goes back. */
export type ReliefLevel = 'full' | 'noted' | 'dropped';

/** The state of the newest request, which has all messages. */
export interface ReliefPlan {
  /** The level of each message. */
  levels: readonly ReliefLevel[];
  /** Tokens of the request, `fixed` included. It exceeds `high` only if what must stay does. */
  total: number;
  /** Tokens of the prefix that the previous request had as well. 0 for the first request. */
  stablePrefixTokens: number;
  /** Tokens of the request by price class. */
  tokens: { read: number; write: number };
  /** The price of the request, in prices of one input token. */
  cost: number;
  /** How many batches have changed what an earlier request had sent. */
  rewrites: number;
  /**
   * Indices of messages, ascending, at most 4: another request has, or will have, the same prefix up to the end of each.
   * They are the last message before all that can be dropped, the last before the first result that the next batch
   * relieves, the last of the previous request, and the last of all. Each is sent; if it is dropped, the one before it is.
   */
  breakpoints: readonly number[];
}

/**
 * Prices of input by provider, in prices of one input token, as published in November 2026; docs/concepts/prompt-caches.md
 * has the pages. `anthropic`: cache of five minutes, most models. `openai`: GPT-6.2 Sol. `google`: implicit cache of
 * Gemini 2.5 and newer; a write costs what any input costs.
 */
export const PRICES = {
  anthropic: { read: 0.1, write: 1.25 },
  openai: { read: 0.05, write: 1.25 },
  google: { read: 0.1, write: 1 },
} as const satisfies Record<string, Prices>;

/**
 * Replays all requests of a conversation, the newest last, and says what the newest one sends. The plan for a list is the
 * state that planning its requests one after another reaches, so nothing needs to be stored between requests.
 *
 * The state is two boundaries that only move forward: before `relieved`, results have given way to their notes; before
 * `dropped`, messages that may go are gone. A request repeats the previous one up to its end, unless a boundary moves.
 *
 * **A batch** moves `relieved` over the oldest results of earlier turns until the request has at most `low` tokens. A
 * request above `high` forces one. If that is not enough, these go as well, until it has at most `high`: results of the
 * newest turn, except those that the model has not answered yet; whole turns, the oldest first; the newest results. Turns
 * are dropped until the droppable ones fill at most the share `low / high` of their room, so that it happens rarely.
 *
 * **The depth.** A batch writes everything behind its first change again, and its first change is the oldest result in any
 * case. So a deeper batch writes less, and the next one is due later. It costs only the sight of results: `low` decides that.
 *
 * **A batch that nothing forces** is made when it pays. Let r and w be the prices of reading and writing a token, f the
 * tokens that the batch frees, and b the tokens of earlier requests that it writes again. It costs (w - r) b now, and w f if
 * the model asks for all of it again. It saves r f in each further request; their number is unknown. So the batch waits
 * until the sum of r f over the requests so far exceeds (w - r) b + w f. To buy when the rent has reached the price is a
 * classic: it costs at most twice the best choice in hindsight (Karlin, Manasse, Rudolph, Sleator: Competitive snoopy
 * caching, Algorithmica 3, 1988). For this planner, tests compare with the best schedule.
 *
 * Places only move forward, and sums are differences of sums over prefixes: the time is linear in the number of messages.
 */
export function planRelief(sizes: readonly MessageSize[], settings: ReliefSettings): ReliefPlan {
  const { fixed, high, low, prices } = settings;
  const { full, gain, removable } = sumsOf(sizes);
  const [nextResult, nextRemovable, starts] = [growsAt(gain), growsAt(removable), turnStarts(sizes)];
  const at = (numbers: readonly number[], place: number) => numbers[place] as number;

  let relieved = 0;
  let dropped = 0;
  /** The place to which a batch would move `relieved`. */
  let reach = 0;
  /** Tokens that a batch would have spared, in all requests since the last change. */
  let spared = 0;
  let previous = 0;
  let stable = 0;
  let total = 0;
  let rewrites = 0;

  /** Tokens of all messages before a place, as they are sent now. */
  const sent = (end: number) =>
    fixed + at(full, end) - at(gain, Math.min(end, relieved)) - at(removable, Math.min(end, dropped));
  /** The first place from `from` on before which notes lead to at most `target` tokens, at most `limit`. */
  const placeFor = (target: number, end: number, from: number, limit: number) => {
    const needed = fixed + at(full, end) - at(removable, dropped) - target;
    let place = from;
    while (place < limit && at(gain, place) < needed) place++;
    return place;
  };
  const pays = () => {
    const freed = at(gain, reach) - at(gain, relieved);
    if (freed === 0) return false;
    spared += freed;
    const first = Math.min(previous, at(nextResult, relieved));
    const freedOfPrevious = at(gain, Math.max(first, Math.min(previous, reach))) - at(gain, first);
    const rewritten = sent(previous) - sent(first) - freedOfPrevious;
    return prices.read * spared > (prices.write - prices.read) * rewritten + prices.write * freed;
  };
  const dropTurns = (end: number, newest: number) => {
    const kept = sent(end) - (at(removable, newest) - at(removable, dropped));
    const target = kept + Math.max(0, high - kept) * (low / high);
    while (dropped < newest && sent(end) > target) {
      do dropped++;
      while (dropped < newest && at(starts, dropped) !== dropped);
    }
  };

  for (const end of requestEnds(sizes)) {
    const newest = at(starts, end - 1);
    let unanswered = end;
    while (unanswered > newest && !sizes[unanswered - 1]?.isAnswer) unanswered--;
    const before = { relieved, dropped };
    reach = placeFor(low, end, Math.max(reach, relieved), newest);
    if (reach > relieved && (sent(end) > high || pays())) relieved = reach;
    if (sent(end) > high) relieved = placeFor(low, end, relieved, unanswered);
    if (sent(end) > high) dropTurns(end, newest);
    if (sent(end) > high) relieved = placeFor(high, end, relieved, end);

    let change = previous;
    if (at(gain, relieved) > at(gain, before.relieved))
      change = Math.min(change, at(nextResult, before.relieved));
    if (at(removable, dropped) > at(removable, before.dropped))
      change = Math.min(change, at(nextRemovable, before.dropped));
    if (relieved > before.relieved || dropped > before.dropped) spared = 0;
    if (change < previous) rewrites++;
    stable = previous === 0 ? 0 : sent(change);
    total = sent(end);
    if (end < sizes.length) previous = end;
  }

  const levels = sizes.map((size, place): ReliefLevel => {
    if (place < dropped && size.canDrop) return 'dropped';
    return place < relieved && size.noted < size.full ? 'noted' : 'full';
  });
  const ends = [at(nextRemovable, 0), at(nextResult, relieved), previous, sizes.length];
  const marks = ends.map((end) => levels.findLastIndex((level, place) => place < end && level !== 'dropped'));
  const write = total - stable;
  return {
    levels,
    total,
    stablePrefixTokens: stable,
    tokens: { read: stable, write },
    cost: stable * prices.read + write * prices.write,
    rewrites,
    breakpoints: [...new Set(marks)].filter((place) => place >= 0).sort((a, b) => a - b),
  };
}

/** The ends of all requests: before each answer of the model, and at the end of the list. */
export function requestEnds(sizes: readonly Pick<MessageSize, 'isAnswer'>[]): number[] {
  const ends = sizes.flatMap(({ isAnswer }, place) =>
    isAnswer && place > 0 && !sizes[place - 1]?.isAnswer ? [place] : [],
  );
  return sizes.length === 0 ? ends : [...ends, sizes.length];
}

/** Sums over all messages before each place. They have one place more than there are messages. */
interface Sums {
  /** Tokens as first sent. */
  full: readonly number[];
  /** Tokens that notes in place of results free. */
  gain: readonly number[];
  /** Tokens that dropping frees, after notes have taken the place of results. */
  removable: readonly number[];
}

function sumsOf(sizes: readonly MessageSize[]): Sums {
  const full = [0];
  const gain = [0];
  const removable = [0];
  for (const [place, size] of sizes.entries()) {
    full.push((full[place] as number) + size.full);
    gain.push((gain[place] as number) + size.full - size.noted);
    removable.push((removable[place] as number) + (size.canDrop ? size.noted : 0));
  }
  return { full, gain, removable };
}

/** For each place, the first place from it on whose message adds to the sum; the number of messages if none does. */
function growsAt(sums: readonly number[]): readonly number[] {
  const places = Array<number>(sums.length).fill(sums.length - 1);
  for (let place = sums.length - 2; place >= 0; place--)
    places[place] = sums[place + 1] === sums[place] ? (places[place + 1] as number) : place;
  return places;
}

/** For each message, the place of the first message of its turn. */
function turnStarts(sizes: readonly MessageSize[]): readonly number[] {
  const starts: number[] = [];
  for (const [place, { turn }] of sizes.entries())
    starts.push(turn === sizes[place - 1]?.turn ? (starts[place - 1] as number) : place);
  return starts;
}

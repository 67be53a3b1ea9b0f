import { growsAt, sumsOf, turnStarts } from './sums.js';
import type { MessageSize, ReliefLevel, ReliefPlan, ReliefSettings } from './types.js';

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
 * caching, Algorithmica 3, 1988). For this planner, tests compare with the best schedule. With `expectedRequests`, the
 * saving is r f (1 + expectedRequests).
 *
 * Places only move forward, and sums are differences of sums over prefixes: the time is linear in the number of messages.
 */
export function planRelief(sizes: readonly MessageSize[], settings: ReliefSettings): ReliefPlan {
  const { fixed, high, low, prices, expectedRequests } = settings;
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
    const saved = expectedRequests === undefined ? spared : freed * (1 + expectedRequests);
    return prices.read * saved > (prices.write - prices.read) * rewritten + prices.write * freed;
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
    tokens: { read: stable, write, input: 0 },
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

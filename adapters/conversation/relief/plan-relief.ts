import type { MessageSize, ReliefLevel, ReliefPlan, ReliefSettings } from './types.js';

/**
 * Replays all requests of a conversation, the newest last, and says what the newest one sends. The plan for a list is what
 * planning its requests one after another leads to, so nothing needs to be stored between requests.
 *
 * The state is two boundaries that only move forward: all messages before `relieved` have only the notes of their results,
 * and those before `dropped` that can go are gone. The time is linear in the number of messages.
 */
export function planRelief(sizes: readonly MessageSize[], settings: ReliefSettings): ReliefPlan {
  const { fixed, high, low, prices, expectedRequests } = settings;
  const { full, gain, removable, turnStart } = sumsOf(sizes);
  const at = (sums: readonly number[], place: number) => sums[place] as number;

  let relieved = 0;
  let dropped = 0;
  let reach = 0;
  let rent = 0;
  let rewrites = 0;
  let previousEnd = 0;
  let stable = 0;
  let total = 0;

  /** Tokens of all messages before a place, as they are sent now. */
  const sent = (end: number) =>
    fixed + at(full, end) - at(gain, Math.min(end, relieved)) - at(removable, Math.min(end, dropped));
  /** The place until which notes must replace results to have at most `target` tokens; at most `limit`. */
  const reachFor = (end: number, target: number, limit: number, from: number) => {
    const needed = fixed + at(full, end) - at(removable, dropped) - target;
    let place = from;
    while (place < limit && at(gain, place) < needed) place++;
    return place;
  };
  const isFreed = (sums: readonly number[], from: number, to: number) => at(sums, to) > at(sums, from);

  const requests = sizes.flatMap(({ isAnswer }, place) =>
    isAnswer && place > 0 && !sizes[place - 1]?.isAnswer ? [place] : [],
  );
  if (sizes.length > 0) requests.push(sizes.length);

  for (const end of requests) {
    const turn = at(turnStart, end - 1);
    let step = end;
    while (step > turn && !sizes[step - 1]?.isAnswer) step--;
    const before = { relieved, dropped };

    reach = Math.max(relieved, reachFor(end, low, turn, Math.max(reach, relieved)));
    const freed = at(gain, reach) - at(gain, relieved);
    const isForced = sent(end) > high;
    if (isForced) relieved = reach;
    else if (freed > 0) {
      const first = firstGain(gain, relieved, reach);
      const old = sent(previousEnd) - sent(Math.min(first, previousEnd)) - freed;
      rent += prices.read * freed;
      const saved = expectedRequests === undefined ? rent : prices.read * freed * (1 + expectedRequests);
      if (saved > (prices.write - prices.read) * Math.max(0, old)) relieved = reach;
    }
    if (sent(end) > high) relieved = Math.max(relieved, reachFor(end, low, step, relieved));
    if (sent(end) > high) {
      const kept = sent(end) - (at(removable, turn) - at(removable, dropped));
      const target = kept + Math.max(0, high - kept) * (low / high);
      while (dropped < turn && sent(end) > target) {
        do dropped++;
        while (dropped < turn && at(turnStart, dropped) !== dropped);
      }
    }
    if (sent(end) > high) relieved = Math.max(relieved, reachFor(end, high, end, relieved));

    const changes = [
      ...(isFreed(gain, before.relieved, relieved) ? [firstGain(gain, before.relieved, relieved)] : []),
      ...(isFreed(removable, before.dropped, dropped) ? [firstGain(removable, before.dropped, dropped)] : []),
    ];
    const change = Math.min(previousEnd, ...changes);
    if (changes.length > 0) rent = 0;
    if (change < previousEnd) rewrites++;
    stable = previousEnd === 0 ? 0 : sent(change);
    total = sent(end);
    if (end < sizes.length) previousEnd = end;
  }

  const write = total - stable;
  const levels = sizes.map(
    ({ canDrop, full: whole, noted }, place): ReliefLevel =>
      place < dropped && canDrop ? 'dropped' : place < relieved && noted < whole ? 'noted' : 'full',
  );
  const next = firstGain(gain, relieved, sizes.length);
  const marks = [firstGain(removable, 0, sizes.length), next, previousEnd, sizes.length].map((end) =>
    levels.findLastIndex((level, place) => place < end && level !== 'dropped'),
  );
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

/** The first place from `from` on whose sum grows; `to` if none does. */
function firstGain(sums: readonly number[], from: number, to: number): number {
  let place = from;
  while (place < to && sums[place + 1] === sums[place]) place++;
  return place;
}

/** Sums over all messages before each place: tokens as first sent, tokens that notes free, tokens that dropping notes frees. */
function sumsOf(sizes: readonly MessageSize[]) {
  const full = [0];
  const gain = [0];
  const removable = [0];
  const turnStart: number[] = [];
  for (const [place, size] of sizes.entries()) {
    full.push((full[place] as number) + size.full);
    gain.push((gain[place] as number) + size.full - size.noted);
    removable.push((removable[place] as number) + (size.canDrop ? size.noted : 0));
    turnStart.push(size.turn === sizes[place - 1]?.turn ? (turnStart[place - 1] as number) : place);
  }
  return { full, gain, removable, turnStart };
}

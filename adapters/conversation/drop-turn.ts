import { balanced, type Conversation } from './conversation.js';
import type { Message } from './messages.js';
import { sum } from './tokens.js';
import { isStanding, type Turn, turnsOf } from './turns.js';

/** Share of the room beside messages that never shrink. The newest results get it before older turns do. */
const NEWEST_SHARE = 1 / 4;

/**
 * Drops the oldest turn that may be dropped, if the messages that must stay exceed `maxTokens`, or leave the newest
 * turn's results less than their share. Returns undefined if neither holds, or if no turn may be dropped.
 *
 * @param options `anyway`: drop a turn even if neither holds.
 */
export function withoutOldestTurn(
  conversation: Conversation,
  maxTokens: number,
  { anyway = false } = {},
): Conversation | undefined {
  const { messages, places, costs, turns, parts, fixed } = conversation;
  const newest = turns.at(-1);
  if (newest === undefined) return undefined;
  const results = parts.filter(({ isNewest }) => isNewest);
  const wanted = sum(results.map(({ tokens, leastTokens }) => tokens - leastTokens));
  const stays = (_: number, at: number) => at >= newest.start || isStanding(messages[at] as Message);
  const least = sum(costs.filter(stays)) + fixed - wanted;
  const due = Math.min(wanted, Math.max(0, Math.floor((maxTokens - least) * NEWEST_SHARE)));
  const { leastTokens, newestFits } = conversation;
  if (!anyway && (newestFits ? leastTokens : leastTokens + due) <= maxTokens) return undefined;
  const oldest = turns.slice(0, -1).find((turn) => mayGo(turn, messages));
  if (oldest === undefined) return undefined;
  const left = messages.flatMap((message, at) =>
    at >= oldest.start && at < oldest.end && !isStanding(message) ? [] : [at],
  );
  const placeOf = new Map(left.map((at, place) => [at, place]));
  const rest = left.map((at) => messages[at] as Message);
  return balanced(
    {
      ...conversation,
      messages: rest,
      places: left.map((at) => places[at] as number),
      costs: left.map((at) => costs[at] as number),
      turns: turnsOf(rest),
      parts: parts.flatMap((part) => {
        const at = placeOf.get(part.at);
        return at === undefined ? [] : [{ ...part, at }];
      }),
    },
    maxTokens,
  );
}

const mayGo = ({ start, end }: Turn, messages: readonly Message[]): boolean => {
  const turn = messages.slice(start, end);
  return !turn.every(isStanding) && !turn.some(({ pinned }) => pinned);
};

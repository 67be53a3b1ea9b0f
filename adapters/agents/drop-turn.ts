import type { BaseMessage } from '@langchain/core/messages';
import { balanced, type Conversation } from './conversation.js';
import { isPinnedMessage, isStanding, type Turn, turnsOf } from './turns.js';

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
  const { messages, costs, turns, parts, systemTokens } = conversation;
  const newest = turns.at(-1);
  if (newest === undefined) return undefined;
  const results = parts.filter(({ isNewest }) => isNewest);
  const sum = (amounts: readonly number[]) => amounts.reduce((total, each) => total + each, 0);
  const wanted = sum(results.map(({ tokens, leastTokens }) => tokens - leastTokens));
  const least = sum(costs.slice(newest.start)) + systemTokens - wanted;
  const due = Math.min(wanted, Math.max(0, Math.floor((maxTokens - least) * NEWEST_SHARE)));
  const { leastTokens, newestFits } = conversation;
  if (!anyway && (newestFits ? leastTokens : leastTokens + due) <= maxTokens) return undefined;
  const oldest = turns.slice(0, -1).find((turn) => mayGo(turn, messages));
  if (oldest === undefined) return undefined;
  const goes = (at: number) =>
    at >= oldest.start && at < oldest.end && !isStanding(messages[at] as BaseMessage);
  const stays = messages.flatMap((_, at) => (goes(at) ? [] : [at]));
  const placeOf = new Map(stays.map((at, place) => [at, place]));
  const left = stays.map((at) => messages[at] as BaseMessage);
  return balanced(
    {
      ...conversation,
      messages: left,
      costs: stays.map((at) => costs[at] as number),
      turns: turnsOf(left),
      parts: parts.flatMap((part) => {
        const at = placeOf.get(part.at);
        return at === undefined ? [] : [{ ...part, at }];
      }),
      dropped: [...conversation.dropped, ...messages.filter((_, at) => goes(at))],
    },
    maxTokens,
  );
}

const mayGo = ({ start, end }: Turn, messages: readonly BaseMessage[]): boolean => {
  const turn = messages.slice(start, end);
  return !turn.every(isStanding) && !turn.some(isPinnedMessage);
};

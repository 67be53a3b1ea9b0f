import type { BaseMessage } from '@langchain/core/messages';
import { balanced, type Conversation } from './conversation.js';
import { isPinnedMessage, isStanding, type Turn, turnsOf } from './turns.js';

/** Of what messages that never shrink leave, what the newest results are to have before older turns are. */
const NEWEST_SHARE = 1 / 4;

/**
 * The conversation without its oldest turn that may go, if what has to stay is more than `maxTokens`, or leaves the
 * newest turn's results less than their share. Nothing, if it is not, or if there is no such turn.
 *
 * @param options `anyway`: whatever there is room for.
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

import { digestOf } from '../../src/internal.js';
import type { Planned } from './cache-stable.js';
import type { RequestDegradation, RequestReport, ResultEntry } from './conversation-shaper.js';
import type { Message } from './messages.js';
import { unknownIn } from './tokens.js';

export function requestReport(
  messages: readonly Message[],
  { sent, fates, tokens, cache }: Planned,
  degradations: readonly RequestDegradation[],
): RequestReport {
  const results = fates.map(
    ({ given, arrived, state, tokens: own, shown }): ResultEntry => ({
      id: given.id,
      tool: given.tool,
      state,
      tokens: own,
      passages: { given: arrived.read?.total ?? 0, sent: shown },
    }),
  );
  const dropped = sent.flatMap((message, at) => (message === undefined ? [at] : []));
  const kept = sent.filter((message) => message !== undefined);
  return {
    tokens,
    unknown: unknownIn(kept),
    results,
    dropped,
    cache,
    digest: decisionsDigest(
      results,
      dropped.reduce((all, at) => all + (messages[at] as Message).parts.length, 0),
    ),
    ...(degradations.length === 0 ? {} : { degradations }),
  };
}

/**
 * Hosts divide a conversation into messages differently, and agree on its parts. Without held passages, the number of
 * passages that a text shows is not exact.
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

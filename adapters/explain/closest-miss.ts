/** The evicted chunk that the smallest raise of a limit brings back, found by few runs. */
import type { ShapingResult, ShapingSession } from '../../src/index.js';
import { nearest, type RaisedName } from './runs.js';
import { reportIn, runsOf } from './subject.js';

/** A chunk that was evicted for lack of room. */
export interface ClosestMiss {
  id: string;
  /** Index in the input, from 0. */
  index: number;
  /** The change of options that brings it back, for `shaper.with`: a run kept it. Absent: none was found. */
  options?: Record<string, unknown>;
}

const NO_ROOM: ReadonlySet<string> = new Set(['outranked', 'over-budget', 'cluster-member']);

/**
 * The chunk that was evicted for lack of room and that the smallest raise of `k` or of the budget brings back: smallest by
 * its share of the limit. If several come back, it is the most relevant one, then the first in the report. For a page that has to be
 * fast: the raise is doubled until a chunk comes back, then halved. One step less was run, and brings none back. If no
 * raise of one limit helps, both are raised by the same share. If that does not help, it is the most relevant chunk.
 *
 * @param of a result that this process made, also an adapter's, or a session.
 * @returns undefined if no chunk was evicted for lack of room.
 * @throws as `explain` does.
 */
export async function closestMiss(
  of: Pick<ShapingResult, 'report'> | ShapingSession,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<ClosestMiss | undefined> {
  signal?.throwIfAborted();
  const runs = runsOf(of);
  const report = runs === undefined ? reportIn(of) : await runs.report(signal);
  const missed = report.evicted
    .filter(({ reason, relevance }) => NO_ROOM.has(reason) && relevance !== undefined)
    .sort((a, b) => (b.relevance as number) - (a.relevance as number));
  const [first] = missed;
  if (first === undefined) return undefined;
  const raiseOf = async (name: RaisedName) => {
    const axis = await runs?.axis(name, signal);
    if (runs === undefined || axis === undefined || axis.current === null) return [];
    const raise = await nearest(axis, 1, async (value) => {
      const kept = await runs.kept(axis.overrides(value), signal);
      return missed.find(({ index }) => kept?.has(index));
    });
    if (raise === undefined) return [];
    const { value, found } = raise;
    const options = axis.overrides(value) as Record<string, unknown>;
    return [{ miss: { id: found.id, index: found.index, options }, share: value / axis.current }];
  };
  const alone = [...(await raiseOf('k')), ...(await raiseOf('maxTokens'))];
  const raises = alone.length > 0 ? alone : await raiseOf('both');
  const [least] = raises.sort((a, b) => a.share - b.share);
  return least?.miss ?? { id: first.id, index: first.index };
}

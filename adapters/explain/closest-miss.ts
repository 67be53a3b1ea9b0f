/** The evicted chunk that the smallest raise of a limit brings back, found by few runs. */
import type { Eviction, ShapingResult, ShapingSession } from '../../src/index.js';
import { remedyOfLimits } from './causes.js';
import { nearest, type Runs } from './runs.js';
import { reportIn, runsOf } from './subject.js';

/** A chunk that was evicted for lack of room. */
export interface ClosestMiss {
  id: string;
  /** Index in the input, from 0. */
  index: number;
  /** The change of options that brings it back, for `shaper.with`: a run kept it. Absent: none was found. */
  options?: Record<string, unknown>;
}

/** A raise of one limit, and the chunk that it brings back. */
interface Raise extends Required<ClosestMiss> {
  /** The raise by the value of the limit. */
  readonly share: number;
}

/**
 * The chunk that was evicted for lack of room and that the smallest raise of `k` or of the budget brings back: smallest by
 * its share of the limit. If several come back, it is the most relevant one, then the first in the report. For a page that has to be
 * fast: the raise is doubled until a chunk comes back, then halved. One step less was run, and brings none back. If no
 * raise of one limit helps, it is the most relevant chunk, with a change of all limits that bind it.
 *
 * @param of a result that this process made, or a session.
 * @returns undefined if no chunk was evicted for lack of room.
 * @throws as `explain` does.
 */
export async function closestMiss(
  of: ShapingResult | ShapingSession,
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
  const raises = [
    await smallestRaise('k', missed, runs, signal),
    await smallestRaise('maxTokens', missed, runs, signal),
  ].filter((raise) => raise !== undefined);
  const [least] = raises.sort((a, b) => a.share - b.share);
  if (least !== undefined) return { id: least.id, index: least.index, options: least.options };
  const { id, index } = first;
  const remedy = await remedyOfLimits({ report, found: { id, index, eviction: first }, runs, signal });
  return { id, index, ...(remedy === undefined ? {} : { options: remedy.options }) };
}

const NO_ROOM: ReadonlySet<string> = new Set(['outranked', 'over-budget', 'cluster-member']);

async function smallestRaise(
  name: 'k' | 'maxTokens',
  missed: readonly Eviction[],
  runs: Runs | undefined,
  signal: AbortSignal | undefined,
): Promise<Raise | undefined> {
  const axis = await runs?.axis(name, signal);
  if (runs === undefined || axis === undefined || axis.current === null) return undefined;
  const { current, overrides } = axis;
  const raise = await nearest(axis, 1, async (value) => {
    const kept = await runs.kept(overrides(value), signal);
    return missed.find(({ index }) => kept?.has(index));
  });
  if (raise === undefined) return undefined;
  const { value, found } = raise;
  return {
    ...{ id: found.id, index: found.index, options: { ...overrides(value) } },
    share: (value - current) / current,
  };
}

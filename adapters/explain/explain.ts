/** Explains the outcome of one chunk. */
import type { ShapingReport, ShapingResult, ShapingSession } from '../../src/index.js';
import { defined } from '../../src/internal.js';
import { causeOf } from './causes.js';
import { sentencesOf } from './sentences.js';
import { chunkOf, type Found, reportIn, runsOf } from './subject.js';
import type { Explanation, Rival } from './types.js';

/**
 * Explains what became of a chunk: the stage and the reason, its place among all chunks, the chunks that had an
 * advantage, the cause, and what would change the outcome.
 *
 * A change of the outcome is found by shaping again, and never by a formula: the distance from the value of an option is
 * doubled until the outcome is another, then halved. Values between those that were run can have other outcomes. All
 * explanations of the same object share these runs. Services are asked nothing that they were not asked before; a
 * change that would ask them counts as none. The runs yield to the event loop.
 *
 * @param of a result that this process made, also an adapter's; or a session. For a report, or a copy of a result, the
 *   explanation has what the report tells, without `counterfactuals`.
 * @param id the id of the chunk, or its index in the input, from 0.
 * @throws ContextShapingError `invalid-input`, if there is no such chunk.
 * @throws the signal's reason, when aborted. The runs made so far are kept for the next call.
 */
export async function explain(
  of: Pick<ShapingResult, 'report'> | ShapingSession | ShapingReport,
  id: string | number,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<Explanation> {
  signal?.throwIfAborted();
  const runs = runsOf(of);
  const report = runs === undefined ? reportIn(of) : await runs.report(signal);
  const found = chunkOf(report, id);
  const counterfactuals = await runs?.counterfactuals(found, signal);
  const { cause, because, remedy } = await causeOf({ report, found, runs, counterfactuals, signal });
  const { entry, eviction, index } = found;
  const explanation: Omit<Explanation, 'sentences'> = {
    id: found.id,
    index,
    outcome: entry === undefined ? 'evicted' : entry.excerpts === undefined ? 'kept' : 'cut',
    ...(eviction === undefined ? { entry } : { stage: eviction.stage, reason: eviction.reason, eviction }),
    ...rankOf(report, found),
    cause,
    ...defined({ because, remedy, counterfactuals }),
    rivals: rivalsOf(report, found),
    notes: report.degradations
      .filter(({ message }) => message !== because)
      .map(({ code, message }) => ({ code, message })),
  };
  return { ...explanation, sentences: sentencesOf(explanation) };
}

/** The parts of a ledger's entry that kept and evicted chunks share. */
interface Measured {
  readonly id: string;
  readonly index: number;
  readonly relevance?: number | undefined;
}

/** The place among all chunks with a measured relevance. Ties go to the earlier chunk of the input. */
function rankOf(
  { kept, evicted }: ShapingReport,
  { entry, eviction }: Found,
): Pick<Explanation, 'relevance' | 'rank'> {
  const { relevance, index } = (entry ?? eviction) as Measured;
  if (relevance === undefined) return {};
  const all: Measured[] = [...kept, ...evicted];
  const measured = all.filter((each) => each.relevance !== undefined);
  const better = measured.filter(
    (each) => (each.relevance as number) > relevance || (each.relevance === relevance && each.index < index),
  );
  return { relevance, rank: { place: better.length + 1, of: measured.length } };
}

/** The chunk that stands in for an evicted one or supersedes it, and the next more relevant kept one. */
function rivalsOf({ kept, evicted }: ShapingReport, { eviction }: Found): Rival[] {
  if (eviction === undefined) return [];
  const own: Measured = eviction;
  const sought =
    'keptId' in eviction ? eviction.keptId : eviction.reason === 'superseded' ? eviction.by : undefined;
  const standIn = [...kept, ...evicted].find(({ id }) => id === sought);
  const above = kept
    .filter((each) => (each.relevance ?? -1) >= (own.relevance ?? Number.POSITIVE_INFINITY))
    .sort((a, b) => (a.relevance as number) - (b.relevance as number) || b.index - a.index)
    .slice(0, 1)
    .filter((each) => each.index !== standIn?.index);
  const rivals: Measured[] = [...(standIn === undefined ? [] : [standIn]), ...above];
  return rivals.map(({ id, index, relevance }) => ({
    ...{ id, index, isStandIn: index === standIn?.index },
    isKept: kept.some((entry) => entry.index === index),
    ...defined({
      relevance,
      by: relevance === undefined || own.relevance === undefined ? undefined : relevance - own.relevance,
    }),
  }));
}

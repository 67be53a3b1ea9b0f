/** Explains the outcome of one chunk. */
import type { ShapingReport, ShapingResult, ShapingSession } from '../../src/index.js';
import { invalidInput } from '../../src/internal.js';
import { causeOf } from './causes/cause.js';
import { sentencesOf } from './sentences.js';
import { rankOf, rivalsOf } from './standing.js';
import { chunkOf, reportIn, runsOf } from './subject.js';
import { claimsOf } from './tell.js';
import type { Explanation } from './types.js';

/**
 * Explains what became of a chunk: the stage and the reason, its place among all chunks, the chunks that had an
 * advantage, the cause, the limits that bind, and what would change the outcome.
 *
 * A change of the outcome is found by shaping again, and never by a formula: the distance from the value of an option is
 * doubled until the outcome is another, then halved. Values between those that were run can have other outcomes. All
 * explanations of the same object share these runs. Services are asked nothing that they were not asked before; where they
 * would have to be, the outcome counts as unknown. The runs yield to the event loop.
 *
 * @param of a result that this process made, or a session. Also a report, or a copy of a result: then the explanation has
 *   what the report tells, without `counterfactuals`.
 * @param id the id of the chunk, or its index in the input, from 0.
 * @throws ContextShapingError `invalid-input`, if there is no such chunk; it names the most similar id.
 * @throws the signal's reason, when aborted. The runs made so far are kept for the next call.
 */
export async function explain(
  of: ShapingResult | ShapingSession | ShapingReport,
  id: string | number,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<Explanation> {
  signal?.throwIfAborted();
  if (typeof of !== 'object' || of === null)
    throw invalidInput('of', of, 'is no result, session or report', 'Give what shaper.shape() returned.');
  const runs = runsOf(of);
  const report = runs === undefined ? reportIn(of) : await runs.report(signal);
  const found = chunkOf(report, id);
  const counterfactuals = await runs?.counterfactuals(found, signal);
  const it = { report, found, runs, counterfactuals, signal };
  const { cause, remedy, says, limits } = await causeOf(it);
  const { entry, eviction, index } = found;
  const told: Omit<Explanation, 'claims' | 'sentences'> = {
    id: found.id,
    index,
    outcome: entry === undefined ? 'evicted' : entry.excerpts === undefined ? 'kept' : 'cut',
    ...(eviction === undefined ? { entry } : { stage: eviction.stage, reason: eviction.reason, eviction }),
    ...rankOf(report, found),
    cause,
    ...(remedy === undefined ? {} : { remedy }),
    rivals: rivalsOf(report, found, counterfactuals?.absence),
    ...(counterfactuals === undefined ? {} : { counterfactuals }),
  };
  const claims = claimsOf(told, { says, limits, report });
  return { ...told, claims, sentences: sentencesOf(claims) };
}

/**
 * Blends the probabilities of a scorer of sentences into the relevance of units:
 *
 *   relevance' = (1 - s) r + s p
 *
 * r is the relevance of the unit by words, p its probability, s the share. A unit without a probability gets the one that
 * has the same rank among all probabilities as r has among the relevances of the scored units. So it competes by its
 * words, on the scale of the scorer. This module is loaded only if there is a scorer.
 */

import { allFailed, isFailed, Service } from '../../ecs/service.js';
import { rethrowControlFlow } from '../../errors.js';
import type { ResolvedOptions } from '../../input/options.js';
import type { PipelineInput } from '../../pipeline.js';
import type { Failed, SentenceRequest, SentenceScorer, SentenceScores } from '../../ports.js';
import type { ScoredUnit } from '../../relevance/units.js';
import type { Unit } from '../../text/units/page.js';
import type { Candidate, Degradation, SentenceUse } from '../../types.js';
import { type ScorerOptions, scorerObjection, shareOf } from './scorer-trust.js';

interface Asked {
  readonly scorer: ScorerOptions;
  readonly model: SentenceScorer;
  readonly options: ResolvedOptions;
  /** The chunks, in the order of selection. */
  readonly line: readonly Candidate[];
  readonly byChunk: readonly (readonly Unit[])[];
  /** The units that may answer, best first. */
  readonly scored: readonly ScoredUnit[];
}

/** The units in their new order, best first, and how the scorer was used. */
interface Judged {
  readonly scored: readonly ScoredUnit[];
  readonly use: SentenceUse;
  readonly degradations: readonly Omit<Degradation, 'stage'>[];
}

/**
 * Asks the scorer once for the first chunks of the line. If it is not trusted, or fails, the units stay as they are.
 * Ties go to the earlier chunk, then to the earlier unit.
 *
 * @throws the reason of the caller's abort, or a graph's interrupt.
 */
export async function byScorer(
  {
    query,
    listOrder,
    signal,
    serviceSignal,
    tellError,
  }: Pick<PipelineInput, 'query' | 'listOrder' | 'signal' | 'serviceSignal' | 'tellError'>,
  { scorer, model: asked, options, line, byChunk, scored }: Asked,
): Promise<Judged> {
  const remedy = 'Correct the scorer in the option extract.scorer.model.';
  const service = new Service(serviceSignal, signal, tellError, remedy);
  const share = shareOf(scorer);
  let model: string | undefined;
  const used = (what: Partial<SentenceUse>): SentenceUse => ({
    ...(model === undefined ? {} : { model }),
    trust: 'none',
    share,
    chunks: 0,
    scored: 0,
    ...what,
    usage: service.usage,
  });
  const asTheyAre = (...degradations: Judged['degradations']) => ({ scored, use: used({}), degradations });
  try {
    if (scorer.trust === 'profile') {
      // Without a profile there is no identity to compare.
      if (scorer.profile !== undefined) model = await service.identify(asked);
      const hasVectors = query.vector !== undefined && line.some(({ vector }) => vector !== undefined);
      const why = scorerObjection(scorer, options, { ranked: listOrder.ranked, hasVectors }, model);
      if (why !== undefined)
        return asTheyAre({
          code: 'scorer-not-trusted',
          message: `Sentences are ranked by their words. ${why}`,
        });
    }
    const inText = scored.toSorted((a, b) => a.chunk - b.chunk || a.place - b.place);
    const byNumber = new Map<number, ScoredUnit[]>();
    for (const unit of inText) {
      const group = byNumber.get(unit.chunk);
      if (group === undefined) byNumber.set(unit.chunk, [unit]);
      else group.push(unit);
    }
    const groups = [...byNumber].slice(0, scorer.maxCandidates);
    const requests = groups.map(([chunk, units]): SentenceRequest => {
      const { text } = line[chunk] as Candidate;
      const own = byChunk[chunk] as readonly Unit[];
      const sentences = units.map(({ place }) => {
        const { start, end } = own[place] as Unit;
        return { start, end };
      });
      return { question: query.text, passage: text, sentences };
    });
    const answers = await service.sentences(asked, requests);
    const failures = answers.filter(isFailed);
    if (failures.length > 0 && failures.length === answers.length)
      throw allFailed(failures, 'extract.scorer');
    const probabilities = new Map<ScoredUnit, number>();
    for (const [at, [, units]] of groups.entries()) {
      const answer = answers[at] as SentenceScores | Failed;
      if (isFailed(answer)) continue;
      for (const [place, unit] of units.entries()) probabilities.set(unit, answer.scores[place] as number);
    }
    return {
      scored: blended(inText, probabilities, share),
      use: used({
        trust: scorer.trust,
        chunks: answers.length - failures.length,
        scored: probabilities.size,
      }),
      degradations: incomplete(
        failures,
        groups.filter((_, at) => isFailed(answers[at] as object)).map(([chunk]) => line[chunk] as Candidate),
      ),
    };
  } catch (error) {
    rethrowControlFlow(error, signal);
    const message = `The scorer failed; sentences are ranked by their words instead. ${tellError(error)}`;
    return asTheyAre({ code: 'scorer-failed', message });
  }
}

/** @param inText the units, in the order of the chunks and of their texts. */
function blended(
  inText: readonly ScoredUnit[],
  probabilities: ReadonlyMap<ScoredUnit, number>,
  share: number,
): ScoredUnit[] {
  const known = [...probabilities];
  const relevances = Float64Array.from(known, ([{ relevance }]) => relevance).sort();
  const values = Float64Array.from(known, ([, value]) => value).sort();
  const ofEqualRank = (relevance: number) => valueAt(values, rankOf(relevances, relevance));
  const units = inText.map((unit) => ({
    ...unit,
    relevance:
      (1 - share) * unit.relevance + share * (probabilities.get(unit) ?? ofEqualRank(unit.relevance)),
  }));
  return units.sort((a, b) => b.relevance - a.relevance || a.chunk - b.chunk || a.place - b.place);
}

/** The number of lesser values: the place that the value would take. */
function rankOf(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The last value for a place after the last. Without values there is nothing to rank by: 0. */
const valueAt = (sorted: Float64Array, place: number) => sorted[Math.min(place, sorted.length - 1)] ?? 0;

function incomplete(failures: readonly Failed[], without: readonly Candidate[]): Judged['degradations'] {
  if (failures.length === 0) return [];
  const names = without.map(({ id }) => JSON.stringify(id)).join(', ');
  return [
    {
      code: 'scorer-incomplete',
      message: `Sentences of ${names} were not scored, and are ranked by their words. Failures: ${failures.length}; the first: ${failures[0]?.failure}`,
    },
  ];
}

/** Rankings of the units of chunks, for comparisons of a scorer of sentences with relevance. */
import { messageOf } from '../errors.js';
import type { ShapingOptions } from '../input/shaping-options.js';
import type { SentenceScorer } from '../ports.js';
import { questionInContext } from '../relevance/question-in-context.js';
import { scoreUnits, unitFeatures } from '../relevance/units.js';
import { Pacer } from '../runtime/pacer.js';
import type { ShapingInput } from '../shaping.js';
import { byScorer } from '../stages/extract/scorer.js';
import type { SentenceUse } from '../types.js';
import { makeShaper } from './shaper.js';

/** A unit that may answer, by each ranking. */
export interface RankedUnit {
  /** Index of its chunk in the input. */
  readonly chunk: number;
  /** Offsets in the text of the chunk. */
  readonly start: number;
  readonly end: number;
  readonly relevance: number;
  readonly bm25: number;
  /** The relevance with the scorer, for each share. */
  readonly blended: readonly number[];
}

export interface UnitRankings {
  readonly units: readonly RankedUnit[];
  readonly use: SentenceUse;
  /** Why the scorer failed. Its units are then ranked by their words. */
  readonly failure: string | undefined;
}

/** Everything stays whole and in the pool: the rankings are those under pressure. */
const WHOLE: ShapingOptions = {
  exactDedup: false,
  semanticDedup: false,
  cluster: false,
  extract: false,
  order: 'relevance',
  // The caller gets the failure, and no report.
  errorMessages: true,
};

/**
 * Ranks the units of all chunks by words, by BM25 and with the scorer, which is asked once if it is recorded.
 *
 * @param shares weights of the scorer's probabilities to try.
 */
export async function unitRankings(
  given: ShapingOptions,
  input: ShapingInput,
  {
    model,
    maxCandidates,
    shares,
  }: { model: SentenceScorer; maxCandidates: number; shares: readonly number[] },
): Promise<UnitRankings> {
  const { options, ...shaper } = makeShaper({ ...given, ...WHOLE });
  const { pool, trace } = await shaper.run(input);
  const { lexicon, listOrder, query } = pool;
  const pacer = new Pacer(input.signal);
  const line = trace.kept;
  const question = await questionInContext(query, line, lexicon);
  const { byChunk, scored } = await scoreUnits(question, line, lexicon, pacer);
  const plain = await unitFeatures(question, line, lexicon, { names: ['bm25'], pacer });
  const key = ({ chunk, place }: { chunk: number; place: number }) => `${chunk} ${place}`;
  const bm25 = new Map(plain.units.map((unit, at) => [key(unit), plain.features.bm25?.[at] ?? 0]));
  const { signal } = input;
  const asked = {
    query,
    listOrder,
    tellError: messageOf,
    ...(signal === undefined ? {} : { signal, serviceSignal: signal }),
  };
  const run = (share: number) => {
    const scorer = { model, maxCandidates, share, trust: 'always' as const };
    return byScorer(asked, { scorer, model, options, line, byChunk, scored });
  };
  const first = await run(shares[0] ?? 0);
  const failure = first.degradations.find(({ code }) => code === 'scorer-failed')?.message;
  const runs = [first];
  // A service that is down is not asked again and again.
  for (const share of shares.slice(1)) runs.push(failure === undefined ? await run(share) : first);
  const blended = runs.map((run) => new Map(run.scored.map((unit) => [key(unit), unit.relevance])));
  return {
    units: scored.map((unit): RankedUnit => {
      const { start, end } = byChunk[unit.chunk]?.[unit.place] ?? { start: 0, end: 0 };
      return {
        chunk: line[unit.chunk]?.index ?? 0,
        start,
        end,
        relevance: unit.relevance,
        bm25: bm25.get(key(unit)) ?? 0,
        blended: blended.map((each) => each.get(key(unit)) ?? 0),
      };
    }),
    use: first.use,
    failure,
  };
}

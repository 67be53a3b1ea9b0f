import { fits, Ledger, WORTH_RANKING } from '../../limits.js';
import { maximalMarginalRelevance } from '../../math/mmr.js';
import type { PipelineInput, PipelineStage } from '../../pipeline.js';
import { evict, isCuttable, withSignals } from '../../pool/candidate.js';
import { byRelevance, pinnedFirst } from '../../pool/ranking.js';
import { isByWords } from '../../relevance/features.js';
import { logOddsOf } from '../../relevance/model.js';
import { unitsIn } from '../../text/units/units.js';
import type { Candidate, Eviction } from '../../types.js';
import { redundancyOf } from './redundancy.js';

const NAME = 'select';
/**
 * Up to this number, all candidates are ranked. With more, candidates after the budget is full are not ranked: their order
 * only affects how exactly the report can say what budget each would need.
 */
const FULLY_RANKED = 512;

interface SelectOptions {
  lambda: number;
  /** Whether extraction follows. Then a candidate that does not fit is cut, and takes one of the `k` places. */
  extracts: boolean;
}

/**
 * Orders candidates by maximal marginal relevance until `k` of them fit the budget, and evicts the rest. Candidates on the
 * way that do not fit are left to the budget stage. They take none of the `k` places, unless they will be cut.
 *
 * Relevance counts by its log-odds, from the least to the greatest of the pool. The redundancy penalty is the larger of
 * cosine and lexical similarity. There is none between candidates in conflict, because the second of two contradicting
 * statements is new information, and none across namespaces. Pinned candidates come first and are never evicted here. `lambda` 1 is exactly top-k by relevance. If everything fits, nothing is evicted.
 *
 * Candidates are returned in the order in which the budget should pack them.
 */
export function select({ lambda, extracts }: SelectOptions): PipelineStage {
  return {
    name: NAME,
    async run(input) {
      const { candidates, limits } = input;
      const sorted = candidates.toSorted(pinnedFirst(byRelevance));
      const atRank = (candidate: Candidate, rank: number) => withSignals(candidate, { rank });
      if (fits(candidates, limits)) return { kept: sorted.map(atRank), evicted: [] };
      const forced = sorted.filter((candidate) => candidate.pinned).length;
      const k = limits.k ?? Number.POSITIVE_INFINITY;
      const relevance = spreadOut(sorted);
      const later = repeatsSupport(sorted);
      const similarityRow = redundancyOf(sorted, input);
      const ledger = new Ledger(limits);
      const { available = Number.POSITIVE_INFINITY } = limits;
      const smallest = sorted.reduce(
        (least, candidate) => Math.min(least, candidate.signals.tokens),
        Number.POSITIVE_INFINITY,
      );
      const ranked: Candidate[] = [];
      const crowded: Eviction[] = [];
      const open = new Set(sorted.keys());
      const divisible = extracts && isByWords(candidates);
      // Without `k`, there are places for all candidates.
      const mayBeCut = limits.k === undefined || !divisible ? () => divisible : canBeCut(input);
      let packed = 0;
      let tokens = 0;
      const picks = maximalMarginalRelevance({ relevance, similarityRow, lambda, forced, later });
      for (const { item, values } of picks) {
        const candidate = sorted[item] as Candidate;
        open.delete(item);
        const limit = ledger.placeLimit(candidate);
        if (limit !== undefined) {
          crowded.push(evict(candidate, NAME, { reason: 'over-budget', limit }));
          continue;
        }
        ranked.push(atRank(candidate, ranked.length));
        tokens += candidate.signals.tokens;
        const isWhole = ledger.tokenLimit(candidate) === undefined;
        ledger.add(candidate, isWhole ? candidate.signals.tokens : 0);
        if (isWhole || mayBeCut(candidate)) packed++;
        if (packed >= k && ranked.length >= forced) {
          const margin = (other: number) => (values[item] as number) - (values[other] as number);
          return {
            kept: ranked,
            evicted: [...crowded, ...outranked(sorted, open, margin, k)],
          };
        }
        const isFull = divisible
          ? limits.k === undefined && tokens > WORTH_RANKING.times * available
          : ledger.tokens + smallest > available;
        if (isFull && ranked.length >= forced && sorted.length > FULLY_RANKED) break;
      }
      const rest = Array.from(open, (item) => sorted[item] as Candidate);
      return { kept: ranked.concat(rest), evicted: crowded };
    },
  };
}

/**
 * Log-odds of relevance from the least to the greatest of the pool, as 0..1. Most probabilities of a pool are nearly 0,
 * and differences of redundancy would outweigh all differences between them.
 */
function spreadOut(candidates: readonly Candidate[]): Float64Array {
  const logOdds = Float64Array.from(candidates, ({ signals }) => logOddsOf(signals.relevance ?? 0));
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of logOdds) {
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
  }
  return logOdds.map((value) => (greatest > least ? (value - least) / (greatest - least) : 1));
}

/** 1 for each candidate with a better one of its support group before it, else 0. */
function repeatsSupport(sorted: readonly Candidate[]): Uint8Array {
  const met = new Set<number>();
  const repeats = new Uint8Array(sorted.length);
  for (const [place, { signals }] of sorted.entries()) {
    if (signals.support === undefined) continue;
    if (met.has(signals.support)) repeats[place] = 1;
    met.add(signals.support);
  }
  return repeats;
}

/** Whether a part of the candidate fits the budget, by estimate. */
const canBeCut =
  ({ lexicon, limits: { available = Number.POSITIVE_INFINITY } }: PipelineInput) =>
  (candidate: Candidate): boolean => {
    const { text, signals } = candidate;
    const perCharacter = signals.tokens / Math.max(1, text.length);
    return (
      isCuttable(candidate) &&
      unitsIn(text, lexicon).some(
        ({ kind, start, end }) => kind !== 'heading' && (end - start) * perCharacter <= available,
      )
    );
  };

/** Evictions of the candidates that were not selected, the smallest margin first. */
function outranked(
  sorted: readonly Candidate[],
  open: ReadonlySet<number>,
  margin: (item: number) => number,
  k: number,
): Eviction[] {
  const items = [...open].toSorted((a, b) => margin(a) - margin(b) || a - b);
  return items.map((item) => {
    const candidate = sorted[item] as Candidate;
    return evict(candidate, NAME, { reason: 'outranked', k, margin: Math.max(0, margin(item)) });
  });
}

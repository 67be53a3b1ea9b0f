/**
 * Decides how far the order of the list is evidence: the trust in it, and the rank of each chunk.
 *
 * Scores give an order and its direction, and nothing else: their scale differs from service to service. The word of the
 * caller counts. The pool cannot show how good an order is, but it can show that something is amiss.
 */
import { documentOf } from '../pool/candidate.js';
import type { Candidate, Degradation, Ranking } from '../types.js';

/** A statement of the caller on the order: whether it is a ranking, that a reranker made it, or the trust itself, 0..1. */
export type Ranked = boolean | 'reranked' | number;

/** The decision for one list. */
export interface ListOrder extends Readonly<Pick<Ranking, 'ranked' | 'trust' | 'reason'>> {
  /** The rank of each chunk, from 0, by its index in the input. Empty if the trust is 0. */
  readonly ranks: readonly number[];
  /** Signs that something is amiss with the order. */
  readonly degradations: readonly Degradation[];
}

/**
 * The trust in an order: the probability that its ranks are right where the words of the chunks disagree. Chosen by the
 * evidence that is lost if the order is another than was said: `npm run eval -- --suite kept`.
 */
export const TRUST = {
  /** By a reranker, or a retriever that is known to be very good. */
  reranked: 0.97,
  /** By a retriever. Scores that fall along the list say the same. */
  ranked: 0.7,
  /** Nothing was said, and the list has no scores. */
  unsaid: 0.5,
} as const;

/** Fewer pairs can be in document order by chance: five pairs are in one of 32 rankings. */
const LEAST_PAIRS = 5;
/** Document order and sorted scores may have this share of exceptions. */
const EXCEPTIONS = 0.1;

/**
 * Decides on the order of a list. The option decides; if it is `auto`, the argument of `shape`; without that, the pool:
 *
 * - scores that fall along the list: a ranking.
 * - scores that rise along the list are distances, unless they are known to be cosines: a ranking, too.
 * - other scores: the list is sorted by them, the greatest first.
 * - document order: at least five pairs of consecutive chunks of one document, and nine of ten ascend in position. The
 *   order means nothing.
 * - anything else: half a ranking.
 *
 * With `false`, only scores give an order, the greatest first, wherever they stand. If the caller vouches for the order, scores change nothing.
 */
export function listOrder(
  candidates: readonly Candidate[],
  option: Ranked | 'auto',
  caller: Ranked | undefined,
  meaning: 'order' | 'cosine' = 'order',
): ListOrder {
  const said = option === 'auto' ? caller : option;
  const reason = option !== 'auto' ? 'option' : caller !== undefined ? 'caller' : undefined;
  const trust = trustOf(said);
  const scores = candidates.map(({ score }) => score);
  const rises = shareOfRises(scores);
  if (trust !== undefined && trust > 0) {
    return {
      ...inListOrder(candidates.length, trust, reason ?? 'caller'),
      degradations: [
        ...(rises === undefined || rises <= EXCEPTIONS
          ? []
          : [rises >= 1 - EXCEPTIONS && meaning === 'order' ? DISTANCES : OLD_SCORES]),
        ...(isInDocumentOrder(candidates) ? [DOCUMENT_ORDER_VOUCHED] : []),
      ],
    };
  }
  if (trust === 0) return rises === undefined ? noOrder(reason ?? 'caller') : inScoreOrder(scores);
  if (rises === undefined) {
    if (isInDocumentOrder(candidates)) return noOrder('document-order', [DOCUMENT_ORDER]);
    return { ...inListOrder(candidates.length, TRUST.unsaid, 'unsaid'), degradations: [] };
  }
  if (rises <= EXCEPTIONS) {
    return { ...inListOrder(candidates.length, TRUST.ranked, 'scores'), degradations: [] };
  }
  if (rises < 1 - EXCEPTIONS) return inScoreOrder(scores);
  return meaning === 'order'
    ? { ...inListOrder(candidates.length, TRUST.ranked, 'distances'), degradations: [DISTANCES] }
    : { ...inScoreOrder(scores), degradations: [RISING_COSINES] };
}

/**
 * The candidates in the order in which the last ties go: that of the input, unless the caller says that it means nothing.
 * Then shorter ids go first, and ids of one length by their code units, so that numbered ids go by their numbers.
 */
export function inOrderOfTies(
  candidates: readonly Candidate[],
  option: Ranked | 'auto',
  caller: Ranked | undefined,
): readonly Candidate[] {
  if (trustOf(option === 'auto' ? caller : option) !== 0) return candidates;
  const after = (a: string, b: string) => a.length - b.length || Number(a > b) - Number(a < b);
  // Chunks with one id have one text, but may differ in all else.
  const rest = ({ index: _, vector, ...own }: Candidate) => JSON.stringify([own, [...(vector ?? [])]]);
  return candidates
    .toSorted((a, b) => after(a.id, b.id) || after(rest(a), rest(b)))
    .map((candidate, place) => Object.freeze({ ...candidate, place }));
}

/** The trust that a caller's word means; undefined if nothing was said. */
function trustOf(said: Ranked | undefined): number | undefined {
  if (typeof said === 'number') return said;
  if (said === 'reranked') return TRUST.reranked;
  if (said === undefined) return undefined;
  return said ? TRUST.ranked : 0;
}

type Reason = ListOrder['reason'];

const inListOrder = (size: number, trust: number, reason: Reason) => ({
  ranked: true,
  trust,
  reason,
  ranks: Array.from({ length: size }, (_, index) => index),
});

const inScoreOrder = (scores: Scores): ListOrder => ({
  ranked: true,
  trust: TRUST.ranked,
  reason: 'unsorted-scores',
  ranks: ranksByScore(scores),
  degradations: [],
});

const noOrder = (reason: Reason, degradations: readonly Degradation[] = []): ListOrder => ({
  ranked: false,
  trust: 0,
  reason,
  ranks: [],
  degradations,
});

type Scores = readonly (number | undefined)[];

/** The share of rises among consecutive scores that differ. Undefined if all are equal, or fewer than two are known. */
function shareOfRises(scores: Scores): number | undefined {
  let pairs = 0;
  let rises = 0;
  let before: number | undefined;
  for (const score of scores) {
    if (score === undefined) continue;
    if (before !== undefined && score !== before) {
      pairs++;
      if (score > before) rises++;
    }
    before = score;
  }
  return pairs === 0 ? undefined : rises / pairs;
}

/** The number of greater scores, for each score. A chunk without a score comes in the middle. */
function ranksByScore(scores: Scores): number[] {
  const sorted = Float64Array.from(scores.filter((score) => score !== undefined))
    .sort()
    .reverse();
  const rankOf = new Map<number, number>();
  for (const [rank, score] of sorted.entries()) if (!rankOf.has(score)) rankOf.set(score, rank);
  return scores.map((score) => (score === undefined ? sorted.length / 2 : (rankOf.get(score) as number)));
}

function isInDocumentOrder(candidates: readonly Candidate[]): boolean {
  const last = new Map<string, number>();
  let pairs = 0;
  let ascending = 0;
  for (const candidate of candidates) {
    const document = documentOf(candidate);
    const [{ position }] = candidate.sources;
    if (document === undefined || position === undefined) continue;
    const before = last.get(document);
    last.set(document, position);
    if (before === undefined || before === position) continue;
    pairs++;
    if (position > before) ascending++;
  }
  return pairs >= LEAST_PAIRS && ascending >= (1 - EXCEPTIONS) * pairs;
}

const told = (code: Degradation['code'], message: string): Degradation => ({
  stage: 'relevance',
  code,
  message,
});

const DISTANCES = told(
  'scores-rise',
  'The scores rise along the list, so they were taken for distances: the first chunk is the best. If the greatest score is the best, reverse the list.',
);
const RISING_COSINES = told(
  'scores-rise',
  'The scores rise along the list, and the option scores says that they are cosines, so the last chunk is the best. If they are distances, give 1 less each, or leave out scores.',
);
const OLD_SCORES = told(
  'scores-contradict-order',
  'The scores contradict the order of the list, for which ranked vouches, so the order stays. Leave out ranked if the scores give the order. For scores: "cosine", give 1 minus the distance.',
);
const DOCUMENT_ORDER = told(
  'list-in-document-order',
  'The chunks come in the order of their documents, so their order does not count. Set ranked to true if it is a ranking.',
);
const DOCUMENT_ORDER_VOUCHED = told(
  'list-in-document-order',
  'The chunks come in the order of their documents, but ranked vouches for their order, so it counts. Set ranked to false if it is no ranking.',
);

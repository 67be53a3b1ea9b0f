import { documentOf } from '../pool/candidate.js';
import type { Candidate, Ranking } from '../types.js';

/** Is the list a ranking, best first, and how is that known? */
export type ListOrder = Readonly<Pick<Ranking, 'ranked' | 'reason'>>;

/** Fewer pairs than this can be in document order by chance: five are in one ranking of 32. */
const LEAST_PAIRS = 5;
/** Document order and sorted scores bear this share of exceptions. */
const EXCEPTIONS = 0.1;

/**
 * The option decides; where it is `auto`, the caller of `shape`; where the caller is silent, the pool. A pool is taken for
 * a ranking unless it shows another order:
 *
 * - document order: of at least five pairs of chunks of one document that follow each other in the list, nine of ten
 *   ascend in position. So does a whole conversation, or a whole document.
 * - unsorted scores: more than one of ten pairs of scores that follow each other ascend.
 */
export function listOrder(
  candidates: readonly Candidate[],
  option: boolean | 'auto',
  caller: boolean | undefined,
): ListOrder {
  if (option !== 'auto') return { ranked: option, reason: 'option' };
  if (caller !== undefined) return { ranked: caller, reason: 'caller' };
  if (isInDocumentOrder(candidates)) return { ranked: false, reason: 'document-order' };
  if (shareOfRises(scoresOf(candidates)) > EXCEPTIONS) return { ranked: false, reason: 'unsorted-scores' };
  return { ranked: true, reason: 'default' };
}

function scoresOf(candidates: readonly Candidate[]): number[] {
  return candidates.flatMap(({ score }) => score ?? []);
}

/** Of the pairs of neighbours that differ; 0 where all are equal. */
function shareOfRises(values: readonly number[]): number {
  let pairs = 0;
  let rises = 0;
  for (const [at, value] of values.entries()) {
    const before = values[at - 1];
    if (before === undefined || before === value) continue;
    pairs++;
    if (value > before) rises++;
  }
  return pairs === 0 ? 0 : rises / pairs;
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

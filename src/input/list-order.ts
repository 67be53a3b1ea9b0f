import { documentOf } from '../pool/candidate.js';
import type { Candidate, Ranking } from '../types.js';

/** Whether the list is a ranking, best first, and the reason. */
export type ListOrder = Readonly<Pick<Ranking, 'ranked' | 'reason'>>;

/** Fewer pairs can be in document order by chance: five pairs are in one of 32 rankings. */
const LEAST_PAIRS = 5;
/** Document order and sorted scores may have this share of exceptions. */
const EXCEPTIONS = 0.1;

/**
 * The option decides. If it is `auto`, the argument of `shape` decides; without that, the pool. A pool counts as a
 * ranking unless it shows another order:
 *
 * - document order: there are at least five pairs of consecutive chunks of one document, and nine of ten ascend in
 *   position, as in a whole conversation or a whole document.
 * - unsorted scores: more than one of ten consecutive pairs of scores ascend.
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

/** Among consecutive values that differ; 0 if all are equal. */
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

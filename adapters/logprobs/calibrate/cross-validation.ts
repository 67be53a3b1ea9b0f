/**
 * Chooses the share of utility and the number of candidates on some questions, and judges the choice on others (Stone,
 * JRSS B 1974). Each question is ranked with the setting that has the greatest mean AUC on the questions of the other
 * folds. So choosing among settings does not make the gain of a useless model positive on average.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { ECS_REACH } from '../../../src/internal.js';

/** Values of the options of `ecs` with which all questions are ranked. */
export interface Cell {
  maxCandidates: number;
  share: number;
}

const SHARES = [0.25, 0.5, ECS_REACH.share, 1] as const;
const FEWEST = 4;
const FOLDS = 5;
/** Means that differ by less are equal: sums in another order must not choose another setting. */
const TIE = 1e-9;

/**
 * Fewest candidates first, then the smallest share: of equal settings the first is chosen. A value that is given is not
 * searched.
 *
 * @param largest the number of passages of the largest question. The first number of candidates that covers it is the last.
 */
export function cellsFor(
  given: { share?: number | null | undefined; maxCandidates?: number | null | undefined },
  largest: number,
): Cell[] {
  const counts = [FEWEST];
  while ((counts.at(-1) as number) < largest) counts.push(2 * (counts.at(-1) as number));
  const shares = given.share == null ? SHARES : [given.share];
  return (given.maxCandidates == null ? counts : [given.maxCandidates]).flatMap((maxCandidates) =>
    shares.map((share) => ({ maxCandidates, share })),
  );
}

/**
 * @param questions texts. A hash of the text assigns each to a fold, so their order does not count.
 * @param aucs for each question, the AUC of each cell.
 * @returns the index of the cell chosen on all questions, and for each question that chosen on the other folds.
 */
export function crossValidated(
  questions: readonly string[],
  aucs: readonly (readonly number[])[],
): { chosen: number; byQuestion: number[] } {
  const hashes = questions.map((text) => bytesToHex(sha256(new TextEncoder().encode(text))));
  const order = [...hashes.keys()].sort((a, b) => ((hashes[a] as string) < (hashes[b] as string) ? -1 : 1));
  const fold = new Map(order.map((question, place) => [question, place % FOLDS]));
  const bestOn = (isIncluded: (question: number) => boolean): number => {
    const included = aucs.filter((_, question) => isIncluded(question));
    const means = (aucs[0] ?? []).map(
      (_, cell) => included.reduce((sum, own) => sum + (own[cell] as number), 0) / included.length,
    );
    const most = Math.max(...means);
    return means.findIndex((mean) => mean >= most - TIE);
  };
  const byFold = Array.from({ length: FOLDS }, (_, left) =>
    bestOn((question) => fold.get(question) !== left),
  );
  return {
    chosen: bestOn(() => true),
    byQuestion: questions.map((_, question) => byFold[fold.get(question) as number] as number),
  };
}

/** The lowest relevance that is kept: the caller's `relevance.floor`, and the floor while a budget fills. */

import type { PipelineOutput } from '../pipeline.js';
import { gate } from '../pool/gate.js';
import type { Candidate } from '../types.js';

/**
 * A budget is not filled with items below this share of the best relevance.
 *
 * It was measured on the units kept for Natural Questions, HotpotQA, MuSiQue and questions on READMEs, at 2, 4 and 10
 * times fewer tokens. No unit below this share was evidence, and 1 to 6 % of the tokens at 2x were below it. A share of
 * .3 would save twice as many tokens, and lose .7 % of MuSiQue's evidence. The same holds for whole chunks on Natural
 * Questions and HotpotQA, at 2x and 4x.
 */
const OF_BEST = 0.25;
/**
 * The last part of the budget is not filled with items below this share of the relevance of the last pick before it. On
 * the same sets no evidence was below .9.
 */
const OF_LAST_PICK = 0.8;
/** The last part of the budget begins at this share. */
const NEARLY_FULL = 0.95;

/** Computes the lowest relevance that justifies more tokens while a budget fills. */
export class WorthOfRoom {
  #lastPick = 0;

  /** @param best the greatest relevance of all items. */
  constructor(readonly best: number) {}

  /**
   * Records a pick.
   *
   * @param relevance relevance of the picked item.
   * @param share share of the budget that was used before the pick, 0..1.
   */
  picked(relevance: number, share: number): void {
    if (share < NEARLY_FULL) this.#lastPick = relevance;
  }

  /**
   * Returns the lowest relevance that the next item needs.
   *
   * @param share share of the budget that is used, 0..1.
   */
  floor(share: number): number {
    const least = OF_BEST * this.best;
    return share < NEARLY_FULL ? least : Math.max(least, OF_LAST_PICK * this.#lastPick);
  }
}

/**
 * Evicts candidates with a relevance below `floor`. Pinned candidates stay, and so do candidates without a measured
 * relevance. If all would be evicted, the most relevant stays, unless `allowEmpty` is true.
 *
 * @param stage name of the stage, for evictions and degradations.
 */
export function aboveFloor(
  stage: string,
  candidates: readonly Candidate[],
  { floor, allowEmpty }: { floor: number; allowEmpty: boolean },
): PipelineOutput {
  return gate(stage, candidates, {
    fails: ({ pinned, signals: { relevance = 1 } }) => !pinned && relevance < floor,
    worth: ({ signals }) => signals.relevance ?? 0,
    reasonOf: ({ signals }) => belowFloor(signals.relevance ?? 0, floor),
    allowEmpty,
    code: 'floor-lifted',
    option: 'relevance.floor',
    bound: floor,
    most: 'is the most relevant',
  });
}

/** The eviction reason of an item below the floor. */
export const belowFloor = (relevance: number, floor: number) =>
  ({ reason: 'below-floor', floor, margin: Math.max(0, floor - relevance) }) as const;

/** The least relevance: what the caller asks for, and what a full budget is worth. */

import type { PipelineOutput } from '../pipeline.js';
import { evict } from '../pool/candidate.js';
import { by } from '../pool/ranking.js';
import type { Candidate } from '../types.js';

/**
 * Room is not filled with what is less than this share as relevant as the best.
 *
 * Of the units that were kept of Natural Questions, HotpotQA, MuSiQue and questions on READMEs, at 2, 4 and 10 times fewer
 * tokens, none below this was evidence, and 1 to 6 % of the tokens at 2x were below it. At .3 it would be twice as many
 * tokens, and .7 % of MuSiQue's evidence. The same holds of whole chunks on Natural Questions and HotpotQA, at 2x and 4x.
 */
const OF_BEST = 0.25;
/**
 * The last of the budget goes to nothing that is less than this share as relevant as what was picked before it. On the
 * same sets no evidence was below .9.
 */
const OF_LAST_PICK = 0.8;
/** The budget is as good as full. */
const NEARLY_FULL = 0.95;

/** How relevant something has to be to be worth its room, while a budget fills. */
export class WorthOfRoom {
  #lastPick = 0;

  /** @param best the greatest relevance of all. */
  constructor(readonly best: number) {}

  /** @param share of the budget that was full before the pick. */
  picked(relevance: number, share: number): void {
    if (share < NEARLY_FULL) this.#lastPick = relevance;
  }

  /** @param share of the budget that is full. */
  floor(share: number): number {
    const least = OF_BEST * this.best;
    return share < NEARLY_FULL ? least : Math.max(least, OF_LAST_PICK * this.#lastPick);
  }
}

/**
 * Evicts what is less relevant than `floor`, unless it is pinned or its relevance was not measured. Where nothing would be
 * left, the most relevant stays, unless `allowEmpty`.
 */
export function aboveFloor(
  stage: string,
  candidates: readonly Candidate[],
  { floor, allowEmpty }: { floor: number; allowEmpty: boolean },
): PipelineOutput {
  const falls = ({ pinned, signals: { relevance = 1 } }: Candidate) => !pinned && relevance < floor;
  const isLifted = !allowEmpty && candidates.length > 0 && candidates.every(falls);
  const spared = isLifted ? candidates.toSorted(by(({ signals }) => signals.relevance ?? 0))[0] : undefined;
  const stays = (candidate: Candidate) => !falls(candidate) || candidate === spared;
  return {
    kept: candidates.filter(stays),
    evicted: candidates
      .filter((candidate) => !stays(candidate))
      .map((candidate) => evict(candidate, stage, belowFloor(candidate.signals.relevance ?? 0, floor))),
    degradations:
      spared === undefined
        ? []
        : [
            {
              stage,
              code: 'floor-lifted',
              message: `Every chunk was below relevance.floor ${floor}; kept ${JSON.stringify(spared.id)}, which is the most relevant.`,
            },
          ],
  };
}

export const belowFloor = (relevance: number, floor: number) =>
  ({ reason: 'below-floor', floor, margin: Math.max(0, floor - relevance) }) as const;

/** The settings with which the questions of a calibration are ranked. Cross-validation chooses among them. */
import { ECS_REACH } from 'context-shaping/internal';

/** Values of the options of `ecs` with which all questions are ranked. */
export interface Cell {
  maxCandidates: number;
  share: number;
}

const SHARES = [0.25, 0.5, ECS_REACH.share, 1] as const;
const FEWEST = 4;

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

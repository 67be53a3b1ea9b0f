import type { Candidate, Degradation, Eviction, EvictionReason } from '../types.js';
import { evict } from './candidate.js';
import { by } from './ranking.js';

/**
 * Evicts the candidates that fail. If none would be left of those that may be spared, the best of them stays, unless
 * `allowEmpty` is true.
 *
 * @param gate `fails`: whether a candidate is below the bound. `worth`: the quantity by which candidates are
 *   compared; the best has the most. `spares`: which candidates may be spared, by default all. `option` and `bound`:
 *   the option and its value. `most`: why the best one is kept, as a predicate.
 */
export function gate(
  stage: string,
  candidates: readonly Candidate[],
  {
    fails,
    worth,
    reasonOf,
    spares = () => true,
    allowEmpty,
    ...lifted
  }: {
    fails: (candidate: Candidate) => boolean;
    worth: (candidate: Candidate) => number | undefined;
    reasonOf: (candidate: Candidate) => EvictionReason;
    spares?: (candidate: Candidate) => boolean;
    allowEmpty: boolean;
    code: Degradation['code'];
    option: string;
    bound: number | undefined;
    most: string;
  },
): { kept: Candidate[]; evicted: Eviction[]; degradations: Degradation[] } {
  const open = candidates.filter(spares);
  const spared = !allowEmpty && open.every(fails) ? open.sort(by(worth))[0] : undefined;
  const goes = (candidate: Candidate) => fails(candidate) && candidate !== spared;
  const { code, option, bound, most } = lifted;
  const message = `Every chunk was below ${option} ${bound}; ${JSON.stringify(spared?.id)} was kept because it ${most}.`;
  return {
    kept: candidates.filter((candidate) => !goes(candidate)),
    evicted: candidates.filter(goes).map((candidate) => evict(candidate, stage, reasonOf(candidate))),
    degradations: spared === undefined ? [] : [{ stage, code, message }],
  };
}

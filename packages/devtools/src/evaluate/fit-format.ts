/** A choice among options as text for a terminal. */
import type { Fit } from './fit.js';
import { aligned, count, percent, signed } from './format.js';

/**
 * The options that were tried, the gain on cases that did not choose, and the recommendation.
 *
 * @param budgets those of the evaluation.
 */
export function formatFit(fit: Fit, budgets: readonly number[]): string {
  const { tried, groups } = fit;
  const inUse = tried[0]?.evidence as number;
  return [
    `Options tried on ${count(groups)} cases: mean share of the evidence that is kept, in per cent, at ${budgets.map(count).join(', ')} tokens`,
    ...aligned([
      ['options', 'evidence', 'difference'],
      ...tried.map(({ name, evidence }, place) => [
        name,
        percent(evidence),
        place === 0 ? '' : signed(evidence - inUse),
      ]),
    ]),
    '',
    ...recommendation(fit),
  ].join('\n');
}

function recommendation({ tried, best, gain, groups, groupsNeeded, isRecommended }: Fit): string[] {
  const inUse = tried[0]?.name as string;
  if (gain === undefined)
    return [
      `Nothing is recommended: ${count(groups)} cases are too few. It takes at least ${groupsNeeded}, and more for a small gain.`,
    ];
  if (best === inUse) return [`Nothing is recommended: none keeps more. ${inUse} stays.`];
  const { mean, low, p } = gain;
  const measured = `Chosen on four fifths of the cases and measured on the other fifth, in turn: ${signed(mean)}, at least ${signed(low)} with 95 %, ${p < 0.001 ? 'p below 0.001' : `p ${p.toFixed(3)}`}.`;
  if (isRecommended) return [measured, `Recommended in place of ${inUse}: ${best}.`];
  const reason = mean <= 0 ? 'on cases that did not choose, nothing is gained' : 'the gain may be chance';
  const needed =
    groupsNeeded === undefined ? '' : ` If others gain as these do, ${count(groupsNeeded)} cases show it.`;
  return [measured, `Nothing is recommended: ${reason}. ${inUse} stays.${needed}`];
}

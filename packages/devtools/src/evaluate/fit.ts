/**
 * Chooses among options on the user's own cases, and recommends a choice only if it gains on cases that did not choose.
 *
 *   quality of options on a group = mean share of the evidence that they keep, over its cases and the budgets
 *   gain of a group               = quality of the options that are best on the other folds − quality of those in use
 *
 * The gain is recommended if it is above 0 at the level .05, by Gaffke's test of a bounded mean (`adapters/gate`). The one loss that was not seen, which the test adds, is taken as large as the largest difference that was
 * seen. So with differences of one size it is the sign test, and one rare gain is no evidence. The simple alternative, the
 * interval of a bootstrap, recommends twice as many useless changes as is meant: 5.2 % in place of 2.5 %. `packages/devtools/test/property/evaluate/fit.test.ts` compares the rules.
 *
 * Sources: M. Stone, "Cross-validatory choice and assessment of statistical predictions", 1974; N. Gaffke, "Nonparametric
 * one-sided testing for the mean and related extremum problems", 2004.
 */
import type { Ranked, ShapingOptions } from 'context-shaping';
import {
  ALPHA,
  chanceOf,
  crossValidated,
  type Gain,
  gainOf,
  LEAST_QUESTIONS,
  meansByKey,
} from '../gate/index.js';
import { mean } from '../measurement/index.js';
import type { EvaluatedOptions, EvaluationResult } from './types.js';

/** The first of equal ones is chosen: those in the middle lose least if the lists change. */
const TRUSTS: readonly Ranked[] = [0.5, true, 0.25, 'reranked', false];
/** More than so many times the groups are not asked for. */
const MOST_TIMES = 20;

/** Options that were tried. */
export interface TriedOptions {
  name: string;
  /** Mean share of the evidence that they keep, 0..1: of each group over its cases and the budgets, then over the groups. */
  evidence: number;
}

/** The choice among options. Plain JSON if the options are. */
export interface Fit {
  /** In the order of the methods; the first are those in use. */
  tried: TriedOptions[];
  /** Name of the options that are best on all cases: the first of equal ones. */
  best: string;
  /**
   * The gain on the groups that did not choose: its mean, the lower bound that holds with 95 %, and the probability of such a
   * gain by chance. Absent with fewer than 20 groups.
   */
  gain?: Gain;
  /** The groups of the cases that count. */
  groups: number;
  /** Groups that would be enough if the others gained as these do. Absent if these are enough, or gain nothing. */
  groupsNeeded?: number;
  /** Whether the best options gain by more than chance. */
  isRecommended: boolean;
  /** The best options if they are recommended, else those in use. */
  options: ShapingOptions;
}

/**
 * The methods to evaluate for {@link fitOf}.
 *
 * @param methods the options in use, and others to choose from. Without others, the options in use with other values of `ranked`,
 *   the trust in the order of the list.
 */
export function fitMethods(
  methods: readonly EvaluatedOptions[] = [{ name: 'shaping' }],
): readonly EvaluatedOptions[] {
  const [inUse, ...others] = methods;
  if (inUse === undefined || others.length > 0) return methods;
  const trusting = (ranked: Ranked) => ({
    name: `ranked: ${JSON.stringify(ranked)}`,
    options: { ...inUse.options, ranked },
  });
  return [inUse, ...TRUSTS.map(trusting)];
}

/**
 * Chooses among the methods of an evaluation by five-fold cross-validation over groups, at the mean of its budgets. A hash of its
 * name assigns each group to a fold, so the order of the cases does not count.
 *
 * @param methods those that were evaluated, the ones in use first.
 */
export function fitOf({ results }: EvaluationResult, methods: readonly EvaluatedOptions[]): Fit {
  const counted = results.filter(({ inPool }) => inPool > 0);
  const { keys, rows: qualities } = meansByKey(
    counted.map(({ group }) => group),
    counted.map(({ kept }) => methods.map((_, place) => mean(kept[place] as number[]))),
  );
  const tried = methods.map(({ name }, place) => ({
    name,
    evidence: mean(qualities.map((row) => row[place] as number)),
  }));
  const groups = qualities.length;
  const kept = {
    tried,
    best: tried[0]?.name as string,
    groups,
    isRecommended: false,
    options: methods[0]?.options ?? {},
  };
  if (groups < LEAST_QUESTIONS) return { ...kept, groupsNeeded: LEAST_QUESTIONS };
  const { chosen, byQuestion } = crossValidated(keys, qualities);
  const gains = qualities.map((own, at) => (own[byQuestion[at] as number] as number) - (own[0] as number));
  const largest = Math.max(...gains.map(Math.abs));
  const scaled = gains.map((each) => each / (largest || 1));
  const { mean: scaledMean, low, p } = gainOf(scaled, ALPHA);
  const gain = { mean: scaledMean * largest, low: low * largest, p };
  const best = tried[chosen]?.name as string;
  if (chosen > 0 && p <= ALPHA)
    return { ...kept, best, gain, isRecommended: true, options: methods[chosen]?.options ?? {} };
  const times = timesNeeded(scaled);
  return { ...kept, best, gain, ...(times === undefined ? {} : { groupsNeeded: times * groups }) };
}

/** How many times the groups would show the gain, if others gained as these do. */
function timesNeeded(gains: readonly number[]): number | undefined {
  if (mean(gains) <= 0) return undefined;
  for (let times = 2; times <= MOST_TIMES; times++)
    if (chanceOf(Array.from({ length: times }, () => gains).flat()) <= ALPHA) return times;
  return undefined;
}

/** The reasons of evictions: the meaning of each, and changes of options that may help. */
import type { Eviction, SessionOverrides } from '../../../src/index.js';
import type { Counterfactuals, KeptValues } from '../counterfactuals.js';
import { type EvictedCase, optionsOf, type ShownOptions } from './case.js';

/** The texts of the documentation about a cause. */
export interface AboutCause {
  readonly meaning: string;
  readonly remedy: string;
}
export const withoutRemedy = '–';

export type Reason = Eviction['reason'];
type Evicted<R extends Reason> = Extract<Eviction, { reason: R }>;

interface AboutReason<E> extends AboutCause {
  /** Changes of options to try, the smallest first. */
  readonly tries?: (eviction: E, it: EvictedCase) => readonly SessionOverrides[];
}

/** The one list of reasons: the report's schema and the documentation have their meanings from here. */
export const REASONS: { readonly [R in Reason]: AboutReason<Evicted<R>> } = {
  flagged: {
    meaning: 'It has a flag that `flag.evict` names.',
    remedy: 'take the kind of flag out of `flag.evict`, or pin it',
    tries: () => [{ flag: { evict: [] } }],
  },
  'low-entropy': {
    meaning: 'Boilerplate: its entropy is below `annotate.minEntropy`.',
    remedy: 'lower `annotate.minEntropy`',
    tries: ({ entropy }) => [{ annotate: { minEntropy: below(entropy) } }],
  },
  'exact-duplicate': {
    meaning: 'The same text as another, except for its form (case, white space, stops).',
    remedy: 'pin it, or cite all `sources`',
  },
  'semantic-duplicate': {
    meaning: 'A near-copy of another, with the same facts.',
    remedy: 'lower `semanticDedup.maxDistance`, or pin it',
    tries: ({ distance }) => [{ semanticDedup: { maxDistance: below(distance) } }],
  },
  superseded: {
    meaning: 'Another side of a conflict is preferred, and `conflicts.drop` is on.',
    remedy: 'set `conflicts.drop` to `false`, or pin it',
    tries: () => [{ conflicts: { drop: false } }],
  },
  'cluster-member': {
    meaning: 'Redundant in its group, and the chunks did not fit.',
    remedy: 'raise `cluster.maxPerCluster`, or the limit',
    tries: (_, { counterfactuals }) => [
      ...raised(counterfactuals?.maxPerCluster, (maxPerCluster) => ({ cluster: { maxPerCluster } })),
      ...moreOf(counterfactuals),
    ],
  },
  'low-utility': {
    meaning: 'The model’s belief in the answer gained too little from it.',
    remedy: 'lower `ecs.minUtility`',
    tries: () => [{ ecs: { minUtility: null } } as SessionOverrides],
  },
  'below-floor': {
    meaning: 'Too irrelevant: below `relevance.floor`.',
    remedy: 'lower `relevance.floor`',
    tries: ({ relevance = 0 }) => [{ relevance: { floor: below(relevance) } }, { relevance: { floor: 0 } }],
  },
  outranked: {
    meaning: 'Others took the places of `k`.',
    remedy: 'raise `k`',
    tries: (_, { counterfactuals }) => moreOf(counterfactuals),
  },
  'over-budget': {
    meaning: 'No room was left for it.',
    remedy: 'raise `budget.maxTokens`, or the limit of its source or tier',
    tries: ({ limit }, it) => [
      ...withoutCap(limit, optionsOf(it)),
      ...moreOf(it.counterfactuals).reverse(),
      ...(optionsOf(it).extract === false ? [{ extract: null }] : []),
    ],
  },
  custom: {
    meaning: 'A stage of the option `stages` evicted it.',
    remedy: 'see the evidence of that stage',
    tries: () => [{ stages: null }],
  },
  'low-grade': {
    meaning: 'The grader of corrective retrieval graded it too low.',
    remedy: 'lower `thresholds.lower`',
  },
  vetoed: { meaning: 'A reviewer excluded its text.', remedy: withoutRemedy },
};

/** The reasons of adapters that this package does not have. */
export const isKnown = (reason: string): reason is Reason => Object.hasOwn(REASONS, reason);

/** Changes of options that may bring the chunk back, the smallest first. */
export function triesFor(it: EvictedCase): readonly SessionOverrides[] {
  const { eviction } = it.found;
  if (!isKnown(eviction.reason)) return [];
  const { tries } = REASONS[eviction.reason] as AboutReason<Eviction>;
  return tries?.(eviction, it) ?? [];
}

function withoutCap(
  limit: Evicted<'over-budget'>['limit'],
  { budget = {}, trust = [] }: ShownOptions,
): SessionOverrides[] {
  if (limit === 'trust') return [{ trust: trust.map(({ value }) => ({ value })) }];
  if (limit === 'chunksPerSource') {
    const next = (budget.chunksPerSource ?? 0) + 1;
    return [{ budget: { chunksPerSource: next } }, { budget: { chunksPerSource: null } } as SessionOverrides];
  }
  return limit === 'perSource' ? [{ budget: { perSource: null } } as SessionOverrides] : [];
}

/** A greater `k`, and a greater budget, that keep the chunk. */
const moreOf = (counterfactuals: Counterfactuals | undefined): SessionOverrides[] => [
  ...raised(counterfactuals?.k, (k) => ({ k })),
  ...raised(counterfactuals?.maxTokens, (maxTokens) => ({ budget: { maxTokens } })),
];

const raised = (values: KeptValues | undefined, overrides: (value: number) => SessionOverrides) =>
  values?.nearest == null ? [] : [overrides(values.nearest)];

/** Three decimals, not above the value, and not below 0. */
const below = (value: number) => Math.max(0, Math.floor(value * 1000 - 1e-9) / 1000);

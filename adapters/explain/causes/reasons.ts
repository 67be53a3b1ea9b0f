/** The causes of each reason of eviction, and changes of options that may help. */
import type { Eviction, SessionOverrides } from '../../../src/index.js';
import type { Counterfactuals, KeptRanges } from '../counterfactuals.js';
import { count, decimal, quoted } from '../wording.js';
import { degradationsOf, type EvictedCase, optionsOf, type ShownOptions } from './case.js';

/** The texts of the documentation about a cause. */
export interface AboutCause {
  readonly meaning: string;
  readonly remedy: string;
}
export const withoutRemedy = '–';

type Reason = Eviction['reason'];
type Evicted<R extends Reason> = Extract<Eviction, { reason: R }>;

export interface Stated<C extends string> {
  readonly cause: C;
  readonly because: string;
  /** Changes of options to try, the best first. */
  readonly tries: readonly SessionOverrides[];
}

/** The causes that a reason can state, and the one that an eviction for it states. */
const reason = <E, const C extends Readonly<Record<string, AboutCause>>>(entry: {
  readonly causes: C;
  readonly stated: (eviction: E, it: EvictedCase) => Stated<keyof C & string>;
}) => entry;

export const REASONS = {
  flagged: reason({
    causes: {
      flagged: {
        meaning: 'It has a flag that `flag.evict` names.',
        remedy: 'take the kind of flag out of `flag.evict`, or pin it',
      },
    },
    stated: ({ kinds }: Evicted<'flagged'>) => ({
      cause: 'flagged',
      because: `It has ${kinds.length === 1 ? 'a flag' : 'flags'} that flag.evict names: ${kinds.join(', ')}.`,
      tries: [{ flag: { evict: [] } }],
    }),
  }),
  'exact-duplicate': reason({
    causes: {
      'exact-copy': {
        meaning: 'A chunk with the same text stands in for it.',
        remedy: 'pin it, or cite all `sources`',
      },
    },
    stated: ({ keptId }: Evicted<'exact-duplicate'>) => ({
      cause: 'exact-copy',
      because: `The chunk ${quoted(keptId)} has the same text and stands in for it.`,
      tries: [],
    }),
  }),
  'semantic-duplicate': reason({
    causes: {
      'near-copy': {
        meaning: 'A chunk that says the same stands in for it.',
        remedy: 'lower `semanticDedup.maxDistance`, or pin it',
      },
    },
    stated: ({ keptId, distance, maxDistance }: Evicted<'semantic-duplicate'>) => ({
      cause: 'near-copy',
      because: `The chunk ${quoted(keptId)} says the same and stands in for it: their distance is ${decimal(distance)}, and up to ${maxDistance} counts as a copy.`,
      tries: [{ semanticDedup: { maxDistance: below(distance) } }],
    }),
  }),
  superseded: reason({
    causes: {
      superseded: {
        meaning: 'It is a side of a conflict of which `conflicts.prefer` prefers another.',
        remedy: 'set `conflicts.drop` to `false`, or pin it',
      },
    },
    stated: ({ by, because }: Evicted<'superseded'>) => ({
      cause: 'superseded',
      because: `It says otherwise than ${quoted(by)}, which conflicts.prefer prefers (${because}), and conflicts.drop is on.`,
      tries: [{ conflicts: { drop: false } }],
    }),
  }),
  'cluster-member': reason({
    causes: {
      'cluster-member': {
        meaning: 'Another chunk stands for its group, and not all chunks fit.',
        remedy: 'raise `cluster.maxPerCluster`, or the limit',
      },
    },
    stated: ({ keptId }: Evicted<'cluster-member'>, { counterfactuals }) => ({
      cause: 'cluster-member',
      because: `The chunk ${quoted(keptId)} stands for its group, and not all chunks fit.`,
      tries: [
        ...raised(counterfactuals?.maxPerCluster, (maxPerCluster) => ({ cluster: { maxPerCluster } })),
        ...more(counterfactuals),
      ],
    }),
  }),
  'low-entropy': reason({
    causes: {
      'entropy-gate': { meaning: '`annotate.minEntropy` is too high for it.', remedy: 'lower it' },
    },
    stated: ({ entropy, minEntropy }: Evicted<'low-entropy'>) => ({
      cause: 'entropy-gate',
      because: `Its entropy is ${decimal(entropy)}, and annotate.minEntropy is ${minEntropy}.`,
      tries: [{ annotate: { minEntropy: below(entropy) } }],
    }),
  }),
  'low-utility': reason({
    causes: {
      'utility-gate': { meaning: '`ecs.minUtility` is too high for it.', remedy: 'lower it' },
    },
    stated: ({ utility = 0, minUtility }: Evicted<'low-utility'>) => ({
      cause: 'utility-gate',
      because: `Its utility is ${decimal(utility)} nats, and ecs.minUtility is ${minUtility}.`,
      tries: [{ ecs: { minUtility: null } } as SessionOverrides],
    }),
  }),
  'below-floor': reason({
    causes: {
      'relevance-floor': { meaning: '`relevance.floor` is too high for it.', remedy: 'lower it' },
    },
    stated: ({ relevance = 0, floor }: Evicted<'below-floor'>) => ({
      cause: 'relevance-floor',
      because: `Its relevance is ${decimal(relevance)}, and relevance.floor is ${floor}.`,
      tries: [{ relevance: { floor: below(relevance) } }, { relevance: { floor: 0 } }],
    }),
  }),
  outranked: reason({
    causes: {
      'k-too-small': { meaning: 'Better chunks took the places of `k`.', remedy: 'raise `k`' },
    },
    stated: ({ k }: Evicted<'outranked'>, { counterfactuals }) => ({
      cause: 'k-too-small',
      because:
        k === 1
          ? 'A better chunk took the one place of k.'
          : `Better chunks took the ${count(k)} places of k.`,
      tries: more(counterfactuals),
    }),
  }),
  'over-budget': reason({
    causes: {
      'larger-than-budget': {
        meaning: 'It alone is larger than the whole budget.',
        remedy: 'raise `budget.maxTokens`, or leave `extract` on',
      },
      'budget-too-small': {
        meaning: 'Other chunks took the tokens of the budget.',
        remedy: 'raise `budget.maxTokens`',
      },
      'pinned-over-budget': {
        meaning: 'It is pinned, but does not fit.',
        remedy: 'raise `budget.maxTokens`',
      },
      'source-cap': {
        meaning: 'The limit of its source was reached.',
        remedy: 'raise `budget.perSource` or `budget.chunksPerSource`',
      },
      'trust-cap': {
        meaning: 'The limit of its tier was reached.',
        remedy: 'raise `k` or `maxTokens` of that tier in `trust`',
      },
    },
    stated: (eviction: Evicted<'over-budget'>, it) => ({
      ...overBudget(it, eviction),
      tries: [
        ...withoutCap(eviction.limit, optionsOf(it)),
        ...(optionsOf(it).extract === false ? [{ extract: null }] : []),
        ...more(it.counterfactuals),
      ],
    }),
  }),
  custom: reason({
    causes: {
      'custom-stage': {
        meaning: 'A stage of the option `stages` evicted it.',
        remedy: 'see the evidence of that stage',
      },
    },
    stated: ({ stage }: Evicted<'custom'>) => ({
      cause: 'custom-stage',
      because: `Your stage ${quoted(stage)} evicted it.`,
      tries: [{ stages: null }],
    }),
  }),
  'low-grade': reason({
    causes: {
      'low-grade': {
        meaning: 'The grader of corrective retrieval graded it too low.',
        remedy: 'lower `thresholds.lower`',
      },
    },
    stated: ({ grade, minGrade }: Evicted<'low-grade'>) => ({
      cause: 'low-grade',
      because: `The grader gave it ${decimal(grade)}, and ${decimal(minGrade)} is the least.`,
      tries: [],
    }),
  }),
  vetoed: reason({
    causes: {
      vetoed: { meaning: 'A reviewer excluded its text.', remedy: withoutRemedy },
    },
    stated: () => ({ cause: 'vetoed', because: 'A reviewer excluded its text.', tries: [] }),
  }),
} satisfies { readonly [R in Reason]: { stated: (eviction: Evicted<R>, it: EvictedCase) => Stated<string> } };

/** For the reasons of adapters that this package does not have. */
export const OTHER = reason({
  causes: { other: { meaning: 'An adapter evicted it, for a reason of its own.', remedy: withoutRemedy } },
  stated: (eviction: { reason: string }) => ({
    cause: 'other',
    because: `It was evicted for the reason ${quoted(eviction.reason)}.`,
    tries: [],
  }),
});

export type StatedCause =
  | { [R in Reason]: keyof (typeof REASONS)[R]['causes'] }[Reason]
  | keyof typeof OTHER.causes;

/** The cause that the reason of the eviction states. */
export function stated(it: EvictedCase): Stated<StatedCause> {
  const { eviction } = it.found;
  const entry = Object.hasOwn(REASONS, eviction.reason) ? REASONS[eviction.reason] : OTHER;
  return (entry.stated as (eviction: Eviction, it: EvictedCase) => Stated<StatedCause>)(eviction, it);
}

function overBudget(
  it: EvictedCase,
  { limit, margin, tokens }: Evicted<'over-budget'>,
): Omit<
  Stated<'larger-than-budget' | 'budget-too-small' | 'pinned-over-budget' | 'source-cap' | 'trust-cap'>,
  'tries'
> {
  if (degradationsOf(it, 'pinned-over-budget').length > 0 && isPinned(it))
    return {
      cause: 'pinned-over-budget',
      because: `It is pinned, but its ${count(tokens)} tokens do not fit.`,
    };
  const room = it.report.tokens.budget;
  if (limit === 'trust')
    return { cause: 'trust-cap', because: 'The limit of its tier in the option trust was reached.' };
  if (limit !== 'maxTokens')
    return { cause: 'source-cap', because: `The limit of its source, budget.${limit}, was reached.` };
  if (room !== null && tokens > room)
    return {
      cause: 'larger-than-budget',
      because: `It has ${count(tokens)} tokens, and the whole budget has ${count(room)}.`,
    };
  return {
    cause: 'budget-too-small',
    because:
      margin !== undefined && margin <= 0
        ? `It did not fit into the room that other chunks left of the ${count(room ?? 0)} tokens of the budget.`
        : `${margin === undefined ? 'Other' : 'Better'} chunks took the ${count(room ?? 0)} tokens of the budget.`,
  };
}

function isPinned(it: EvictedCase): boolean {
  const { pin } = optionsOf(it);
  return Array.isArray(pin) && pin.includes(it.found.id);
}

function withoutCap(
  limit: 'maxTokens' | 'perSource' | 'chunksPerSource' | 'trust',
  { budget = {}, trust = [] }: ShownOptions,
): SessionOverrides[] {
  if (limit === 'trust') return [{ trust: trust.map(({ value }) => ({ value })) }];
  if (limit === 'chunksPerSource') {
    const next = (budget.chunksPerSource ?? 0) + 1;
    return [{ budget: { chunksPerSource: next } }, { budget: { chunksPerSource: null } } as SessionOverrides];
  }
  return limit === 'perSource' ? [{ budget: { perSource: null } } as SessionOverrides] : [];
}

/** Changes of `k` and the budget that keep the chunk. */
const more = (counterfactuals: Counterfactuals | undefined): SessionOverrides[] => [
  ...raised(counterfactuals?.k, (k) => ({ k })),
  ...raised(counterfactuals?.maxTokens, (maxTokens) => ({ budget: { maxTokens } })),
];

/** The least greater value that keeps the chunk, and from which on it always stays if there is one. */
function raised(
  ranges: KeptRanges | undefined,
  overrides: (value: number) => SessionOverrides,
): SessionOverrides[] {
  const { always = null, kept = [], current = null } = ranges ?? {};
  const next = kept.find(([from]) => from > (current ?? Number.POSITIVE_INFINITY))?.[0];
  const value = always !== null && always > (current ?? Number.POSITIVE_INFINITY) ? always : next;
  return value === undefined ? [] : [overrides(value)];
}

/** Three decimals, not above the value, and not below 0. */
const below = (value: number) => Math.max(0, Math.floor(value * 1000 - 1e-9) / 1000);

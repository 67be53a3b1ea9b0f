/**
 * The cause of an outcome: a fault of the list's order that a run proved, else the reason of the eviction, or why the chunk
 * stays. The documentation has the table of all causes.
 */
import type { Eviction, SessionOverrides, ShapingReport } from '../../src/index.js';
import type { Counterfactuals, Runs } from './runs.js';
import type { Found } from './subject.js';

/** The facts from which a cause is found. */
interface Case {
  readonly report: ShapingReport;
  readonly found: Found;
  /** Absent if only a report was given. */
  readonly runs?: Runs | undefined;
  readonly counterfactuals?: Counterfactuals | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The used options of a report: resolved, without functions and services. */
interface ShownOptions {
  budget?: { chunksPerSource?: number | null };
  trust?: { value: string }[];
  extract?: unknown;
}

/** The texts of the documentation about a cause. */
interface AboutCause {
  readonly meaning: string;
  readonly remedy: string;
}
const withoutRemedy = '–';

type Reason = Eviction['reason'];
type Evicted<R extends Reason> = Extract<Eviction, { reason: R }>;

interface AboutReason<E> extends AboutCause {
  /** Changes of options to try, the smallest first. */
  readonly tries?: (eviction: E, it: Case) => readonly SessionOverrides[];
}

/** The reasons of evictions. The report's schema and the documentation have their meanings from here. */
const REASONS: { readonly [R in Reason]: AboutReason<Evicted<R>> } = {
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
    tries: (_, it) => [...raises(it), { cluster: false }],
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
    tries: (_, it) => raises(it),
  },
  'over-budget': {
    meaning: 'No room was left for it.',
    remedy: 'raise `budget.maxTokens`, or the limit of its source or tier',
    tries: ({ limit }, it) => [
      ...withoutCap(limit, it.report.options as ShownOptions),
      ...raises(it).reverse(),
      ...((it.report.options as ShownOptions).extract === false ? [{ extract: null }] : []),
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

/** Degradations of the list's order, which leave a chunk behind others. They count only if a run with `ranked: false` keeps it. */
const OF_ORDER = {
  'scores-contradict-order': {
    meaning: '`ranked` vouches for the order of the list, so scores that contradict it were ignored.',
    remedy: 'set `ranked: false`, or leave it out',
  },
  'list-in-document-order': {
    meaning: 'The order of the list counts, but it is that of a document.',
    remedy: 'set `ranked: false`',
  },
} as const satisfies Readonly<Record<string, AboutCause>>;

/** Why a chunk stays. */
const STAYS = {
  fits: { meaning: 'No chunk went for lack of room.', remedy: withoutRemedy },
  ranked: { meaning: 'It is among the best chunks that fit.', remedy: withoutRemedy },
  pinned: { meaning: 'It is pinned, and goes ahead of all others.', remedy: withoutRemedy },
  cut: { meaning: 'A part of it stays.', remedy: 'raise `budget.maxTokens`' },
} as const satisfies Readonly<Record<string, AboutCause>>;

/** For the reasons of adapters that this package does not have. */
const OTHER = { meaning: 'An adapter evicted it, for a reason of its own.', remedy: withoutRemedy };

/** The codes of causes: why a chunk stays, faults of the list's order, and the reasons of evictions. */
export type Cause = keyof typeof STAYS | keyof typeof OF_ORDER | Reason | 'other';

/** The causes by their stable codes: the meaning of each, and the remedy. */
export const CAUSES = Object.fromEntries(
  Object.entries({ ...STAYS, ...OF_ORDER, ...REASONS, other: OTHER }).map(([code, { meaning, remedy }]) => [
    code,
    { meaning, remedy },
  ]),
) as Readonly<Record<Cause, AboutCause>>;

/** A change of one option that brings an evicted chunk back: a run kept it. */
export interface Remedy {
  /** For `shaper.with`, as plain JSON. */
  options: Record<string, unknown>;
}

interface Verdict {
  readonly cause: Cause;
  /** A sentence about the cause. */
  readonly because?: string | undefined;
  readonly remedy?: Remedy | undefined;
}

export const causeOf = async (it: Case): Promise<Verdict> =>
  it.found.eviction === undefined ? causeOfStay(it) : causeOfEviction(it, it.found.eviction);

/** Stages that evict for lack of room. */
const PRESSED: ReadonlySet<string> = new Set(['cluster', 'select', 'extract', 'budget']);

function causeOfStay({ found, report }: Case): Verdict {
  const { excerpts, pinned } = found.entry as NonNullable<typeof found.entry>;
  if (excerpts !== undefined)
    return { cause: 'cut', because: report.degradations.find(({ code }) => code === 'cut-to-fit')?.message };
  const isPressed = report.evicted.some(({ stage }) => PRESSED.has(stage));
  const cause = pinned ? 'pinned' : isPressed ? 'ranked' : 'fits';
  return { cause, because: STAYS[cause].meaning };
}

async function causeOfEviction(it: Case, eviction: Eviction): Promise<Verdict> {
  const fault = await faultOfOrder(it, eviction);
  if (fault !== undefined) return fault;
  const { reason } = eviction;
  if (!Object.hasOwn(REASONS, reason)) return { cause: 'other' };
  const { tries } = REASONS[reason] as AboutReason<Eviction>;
  return { cause: reason, remedy: await remedyAmong(it, tries?.(eviction, it) ?? []) };
}

async function remedyAmong(
  { runs, found, signal }: Case,
  tries: readonly SessionOverrides[],
): Promise<Remedy | undefined> {
  for (const options of tries) {
    const kept = await runs?.kept(options, signal);
    if (kept?.has(found.index)) return { options: options as Remedy['options'] };
  }
  return undefined;
}

/** Reasons that leave a chunk behind others, so that what disturbs their order is the cause. */
const RANKED: ReadonlySet<string> = new Set(['outranked', 'over-budget', 'cluster-member', 'below-floor']);

/** A degradation about the list's order without which the chunk would stay. */
async function faultOfOrder(it: Case, { reason }: Eviction): Promise<Verdict | undefined> {
  if (!RANKED.has(reason)) return undefined;
  const degradation = it.report.degradations.find(({ code }) => Object.hasOwn(OF_ORDER, code));
  const remedy = degradation && (await remedyAmong(it, [{ ranked: false }]));
  if (remedy === undefined) return undefined;
  return { cause: degradation?.code as keyof typeof OF_ORDER, because: degradation?.message, remedy };
}

function withoutCap(
  limit: Evicted<'over-budget'>['limit'],
  { budget = {}, trust = [] }: ShownOptions,
): SessionOverrides[] {
  if (limit === 'trust') return [{ trust: trust.map(({ value }) => ({ value })) }];
  if (limit === 'chunksPerSource')
    return [{ budget: { chunksPerSource: (budget.chunksPerSource ?? 0) + 1 } }];
  return limit === 'perSource' ? [{ budget: { perSource: null } } as SessionOverrides] : [];
}

/** A greater `k`, and a greater budget, that keep the chunk. */
function raises({ counterfactuals: { k, maxTokens } = {} }: Case): SessionOverrides[] {
  return [
    ...(k?.nearest == null ? [] : [{ k: k.nearest }]),
    ...(maxTokens?.nearest == null ? [] : [{ budget: { maxTokens: maxTokens.nearest } }]),
  ];
}

/** Three decimals, not above the value, and not below 0. */
const below = (value: number) => Math.max(0, Math.floor(value * 1000 - 1e-9) / 1000);

/**
 * The cause of an outcome: a fault of the list that a run proved, else one that is observed, else the reason of the
 * eviction. The documentation has the table of all causes.
 */
import type { Chunk, Eviction, SessionOverrides } from '../../src/index.js';
import {
  type BindingLimits,
  bindingLimits,
  type Case,
  changeOf,
  type EvictedCase,
  optionsOf,
  type ShownOptions,
} from './limits.js';
import type { Counterfactuals, KeptValues } from './runs.js';
import { count, listed, quoted } from './wording.js';

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
  readonly tries?: (eviction: E, it: EvictedCase) => readonly SessionOverrides[];
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

/** Degradations that leave a chunk behind others. The list's own count only if a run with `options` keeps the chunk. */
const DEGRADATIONS = {
  'scores-contradict-order': {
    meaning: '`ranked` vouches for the order of the list, so scores that contradict it were ignored.',
    remedy: 'set `ranked: false`, or leave it out',
    options: { ranked: false },
  },
  'list-in-document-order': {
    meaning: 'The order of the list counts, but it is that of a document.',
    remedy: 'set `ranked: false`',
    options: { ranked: false },
  },
  'order-outranks-match': {
    meaning: 'The order of the list counts, and puts worse matches first.',
    remedy: 'set `ranked: false`',
    options: { ranked: false },
  },
  'query-empty': { meaning: 'The question has no text.', remedy: 'give the question' },
  'embedder-failed': {
    meaning: 'The embedder failed, so chunks were compared by words.',
    remedy: 'correct the embedder',
  },
  'embeddings-incomplete': {
    meaning: 'Some vectors are missing, so chunks were compared by words.',
    remedy: 'give all vectors, or an `embedder`',
  },
  'query-not-embedded': {
    meaning: 'The query has no vector, so chunks were compared with it by words.',
    remedy: 'give `{ text, embedding }` as the query, or an `embedder`',
  },
  'scores-rise': {
    meaning: 'The scores rise along the list, so they were taken for distances.',
    remedy: 'reverse the list if the greatest score is the best',
  },
} as const satisfies Readonly<Record<string, AboutCause & { options?: SessionOverrides }>>;

/** The causes that are no reason of an eviction and no degradation: observations, and why a chunk stays. */
const OBSERVED = {
  fits: { meaning: 'No chunk went for lack of room.', remedy: withoutRemedy },
  ranked: { meaning: 'It is among the best chunks that fit.', remedy: withoutRemedy },
  pinned: { meaning: 'It is pinned, and goes ahead of all others.', remedy: withoutRemedy },
  cut: { meaning: 'A part of it stays.', remedy: 'raise `budget.maxTokens`' },
  diversity: {
    meaning: 'Less relevant chunks stay, because they repeat less of the others.',
    remedy: 'raise `select.lambda`',
  },
  'conflict-kept-both-sides': {
    meaning:
      'Two or more chunks say different things about one subject, so all of them stay, and there is no room for it.',
    remedy: 'raise `k` or `budget.maxTokens`, or remove the outdated chunk',
  },
  'blank-text': { meaning: 'It has no text.', remedy: 'correct the loader' },
  'pinned-over-budget': { meaning: 'It is pinned, but does not fit.', remedy: 'raise `budget.maxTokens`' },
  'query-echo': {
    meaning: 'It repeats the question, and a repetition adds nothing to relevance.',
    remedy: withoutRemedy,
  },
} as const satisfies Readonly<Record<string, AboutCause>>;

/** For the reasons of adapters that this package does not have. */
const OTHER = { meaning: 'An adapter evicted it, for a reason of its own.', remedy: withoutRemedy };

/** The codes of causes: those of observations and degradations, and the reasons of evictions. */
export type Cause = keyof typeof OBSERVED | keyof typeof DEGRADATIONS | Reason | 'other';

/** The causes by their stable codes: the meaning of each, and the remedy. */
export const CAUSES = Object.fromEntries(
  Object.entries({ ...OBSERVED, ...DEGRADATIONS, ...REASONS, other: OTHER }).map(
    ([code, { meaning, remedy }]) => [code, { meaning, remedy }],
  ),
) as Readonly<Record<Cause, AboutCause>>;

/** A change of options that brings an evicted chunk back: a run kept it. It changes one option if one is enough. */
export interface Remedy {
  /** For `shaper.with`, as plain JSON. */
  options: Record<string, unknown>;
}

export interface Verdict {
  readonly cause: Cause;
  readonly remedy?: Remedy | undefined;
  /** Sentences about the cause. A reason needs none: the ledger has it. */
  readonly says: readonly string[];
  /** The limits that bind an evicted chunk. */
  readonly limits?: BindingLimits | undefined;
}

export const causeOf = async (it: Case): Promise<Verdict> =>
  it.found.eviction === undefined ? causeOfStay(it) : causeOfEviction(it as EvictedCase);

function causeOfStay({ found, report }: Case): Verdict {
  const { excerpts, pinned } = found.entry as NonNullable<typeof found.entry>;
  if (excerpts !== undefined) {
    const cuts = report.degradations.filter(({ code }) => code === 'cut-to-fit');
    return { cause: 'cut', says: cuts.map(({ message }) => message) };
  }
  if (pinned) return { cause: 'pinned', says: ['It is pinned, so it goes ahead of all others.'] };
  if (!report.evicted.some(({ stage }) => PRESSED.has(stage)))
    return { cause: 'fits', says: ['No chunk went for lack of room.'] };
  const { length } = report.kept;
  const among = length === 1 ? 'the only chunk that stays' : `among the ${count(length)} chunks that stay`;
  return { cause: 'ranked', says: [`It is ${among}.`] };
}

/** Stages that evict for lack of room. */
const PRESSED: ReadonlySet<string> = new Set(['cluster', 'select', 'extract', 'budget']);

/** A cause that is more than the reason, and its remedy if a run proved one. */
interface Fault {
  cause: Cause;
  because: string;
  remedy?: Remedy | undefined;
}

async function causeOfEviction(it: EvictedCase): Promise<Verdict> {
  const bound = PRESSED.has(it.found.eviction.stage) ? await bindingLimits(it) : undefined;
  const found: Fault | undefined =
    blank(it) ?? (await listFault(it)) ?? diversity(it) ?? conflict(it) ?? observed(it);
  const { reason } = it.found.eviction;
  return {
    cause: found?.cause ?? (isKnown(reason) ? reason : 'other'),
    remedy:
      found?.remedy ??
      (await remedyAmong(it, triesFor(it))) ??
      (bound && (await remedyAmong(it, [await changeOf(bound, it)]))),
    says: found === undefined ? [] : [found.because],
    limits: bound,
  };
}

async function remedyAmong(it: EvictedCase, tries: readonly SessionOverrides[]): Promise<Remedy | undefined> {
  for (const options of tries) {
    if (await it.runs?.keeps(it.found.index, options, it.signal))
      return { options: options as Remedy['options'] };
  }
  return undefined;
}

/** A change of all limits that bind an evicted chunk, by few runs: its values may not be the least. */
export async function remedyOfLimits(it: EvictedCase): Promise<Remedy | undefined> {
  const bound = await bindingLimits(it);
  return bound && remedyAmong(it, [await changeOf(bound, it)]);
}

const chunkOf = ({ runs, found }: Case): Chunk | undefined => runs?.inside.input.chunks[found.index];

const blank = (it: EvictedCase): Fault | undefined =>
  chunkOf(it)?.text.trim() === '' ? { cause: 'blank-text', because: 'The chunk has no text.' } : undefined;

/** Reasons that leave a chunk behind others, so that what disturbs their order is the cause. */
const RANKED: ReadonlySet<string> = new Set(['outranked', 'over-budget', 'cluster-member', 'below-floor']);

/** A degradation about the list's order without which the chunk would stay. */
async function listFault(it: EvictedCase): Promise<Fault | undefined> {
  for (const fault of degraded(it)) {
    const { options } = DEGRADATIONS[fault.cause] as { options?: SessionOverrides };
    const remedy = options && (await remedyAmong(it, [options]));
    if (remedy !== undefined) return { ...fault, remedy };
  }
  return undefined;
}

/** The degradations that can be causes, the most specific first. */
function degraded({ report, found }: EvictedCase): (Fault & { cause: keyof typeof DEGRADATIONS })[] {
  if (!RANKED.has(found.eviction.reason)) return [];
  return (Object.keys(DEGRADATIONS) as (keyof typeof DEGRADATIONS)[]).flatMap((cause) => {
    // An order for which the caller vouches counts with any scores.
    if (cause === 'scores-rise' && report.ranking?.reason !== 'distances') return [];
    const first = report.degradations.find(({ code }) => code === cause);
    return first === undefined ? [] : [{ cause, because: first.message }];
  });
}

/** A less relevant chunk stays, and more weight of relevance would change that. */
function diversity({ report, found, counterfactuals }: EvictedCase): Fault | undefined {
  const { relevance } = found.eviction;
  const { nearest, current } = counterfactuals?.lambda ?? {};
  const less = report.kept.filter((each) => !each.pinned && (each.relevance ?? 1) < (relevance ?? 0));
  if (nearest == null || current == null || nearest < current || less.length === 0) return undefined;
  const names = listed(less.slice(0, 2).map(({ id }) => quoted(id)));
  const [is, stays] = less.length === 1 ? ['is', 'stays'] : ['are', 'stay'];
  return {
    cause: 'diversity',
    because: `${names} ${is} less relevant, and ${stays}: select.lambda is ${current}, so repetition counts, too.`,
    remedy: { options: { select: { lambda: nearest } } },
  };
}

/** Two sides of a conflict stay, and without one of them there would be room. A copy went for another reason. */
function conflict({ report, found, counterfactuals }: EvictedCase): Fault | undefined {
  if (!PRESSED.has(found.eviction.stage)) return undefined;
  const decisive = new Set(counterfactuals?.absence.map(({ index }) => index));
  // The first chunk of each side that stays.
  const staying = report.conflicts.map(({ sides }) =>
    sides.flatMap(({ indices }) => report.kept.find(({ index }) => indices.includes(index)) ?? []),
  );
  const sides = staying.find((kept) => kept.length > 1 && kept.some(({ index }) => decisive.has(index)));
  if (sides === undefined) return undefined;
  return {
    cause: 'conflict-kept-both-sides',
    because: `${listed(sides.map(({ id }) => quoted(id)))} are sides of one conflict, and ${sides.length === 2 ? 'both' : 'all'} stay.`,
  };
}

/** Causes that no option corrects: of the input, of services, of the chunk itself. */
function observed(it: EvictedCase): Fault | undefined {
  const { reason, index, id, tokens } = it.found.eviction;
  const { pin } = optionsOf(it);
  if (reason === 'over-budget' && Array.isArray(pin) && pin.includes(id))
    return {
      cause: 'pinned-over-budget',
      because: `It is pinned, but its ${count(tokens)} ${tokens === 1 ? 'token does' : 'tokens do'} not fit.`,
    };
  if (!RANKED.has(reason)) return undefined;
  const service = degraded(it).find(({ cause }) => !('options' in DEGRADATIONS[cause]));
  if (service !== undefined) return service;
  const flags = it.report.flags.find((each) => each.index === index)?.flags ?? [];
  const echo = flags.find((flag) => flag.kind === 'query-echo');
  return (
    echo && {
      cause: 'query-echo',
      because: `The chunk repeats ${Math.round(100 * echo.share)} % of the question, and a repetition adds nothing to relevance.`,
    }
  );
}

/** The reasons of adapters that this package does not have. */
const isKnown = (reason: string): reason is Reason => Object.hasOwn(REASONS, reason);

/** Changes of options that may bring the chunk back, the smallest first. */
function triesFor(it: EvictedCase): readonly SessionOverrides[] {
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

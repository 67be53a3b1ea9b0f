/** The cause that the reason of an eviction states, and changes of options that may help. */
import type { Eviction, SessionOverrides } from '../../../src/index.js';
import type { KeptRanges } from '../types.js';
import { count, decimal, quoted } from '../wording.js';
import { chunksOf, degradationsOf, type EvictedCase, optionsOf } from './case.js';
import type { Cause } from './causes.js';

export interface Named {
  readonly cause: Cause;
  readonly because: string;
  /** Changes of options to try, the best first. */
  readonly tries: readonly SessionOverrides[];
}

/** Causes that no option corrects: of the input, of services, of the chunk itself. They matter where chunks are ranked. */
export function observed(it: EvictedCase): Pick<Named, 'cause' | 'because'> | undefined {
  const { reason, index } = it.found.eviction;
  const text = chunksOf(it)?.[index]?.text;
  if (text !== undefined && text.trim() === '')
    return { cause: 'blank-text', because: 'The chunk has no text.' };
  if (!['outranked', 'over-budget', 'cluster-member', 'below-floor'].includes(reason)) return undefined;
  for (const code of CODES) {
    // An order for which the caller vouches counts with any scores.
    if (code === 'scores-rise' && it.report.ranking?.reason !== 'distances') continue;
    const [first] = degradationsOf(it, code);
    if (first !== undefined) return { cause: code, because: first.message };
  }
  const echo = it.report.flags
    .find((each) => each.index === index)
    ?.flags.find(({ kind }) => kind === 'query-echo');
  if (echo?.kind !== 'query-echo') return undefined;
  const share = Math.round(100 * echo.share);
  return {
    cause: 'query-echo',
    because: `The chunk repeats ${share} % of the question, and a repetition adds nothing to relevance.`,
  };
}

const CODES = [
  'query-empty',
  'embedder-failed',
  'embeddings-incomplete',
  'query-not-embedded',
  'scores-rise',
] as const;

/** The cause that the reason of the eviction states. */
export function stated(it: EvictedCase): Named {
  const { eviction } = it.found;
  const { relevance = 0, tokens, stage } = eviction;
  const { budget = {}, trust = [], extract } = optionsOf(it);
  const { counterfactuals: cf } = it;
  const more = [
    ...raised(cf?.k, (k) => ({ k })),
    ...raised(cf?.maxTokens, (maxTokens) => ({ budget: { maxTokens } })),
  ];
  const standIn = 'keptId' in eviction ? quoted(eviction.keptId) : '';
  switch (eviction.reason) {
    case 'exact-duplicate':
      return {
        cause: 'exact-copy',
        because: `The chunk ${standIn} has the same text and stands in for it.`,
        tries: [],
      };
    case 'semantic-duplicate':
      return {
        cause: 'near-copy',
        because: `The chunk ${standIn} says the same and stands in for it: their distance is ${decimal(eviction.distance)}, and up to ${eviction.maxDistance} counts as a copy.`,
        tries: [{ semanticDedup: { maxDistance: below(eviction.distance) } }],
      };
    case 'cluster-member':
      return {
        cause: 'cluster-member',
        because: `The chunk ${standIn} stands for its group, and not all chunks fit.`,
        tries: [...raised(cf?.maxPerCluster, (maxPerCluster) => ({ cluster: { maxPerCluster } })), ...more],
      };
    case 'low-entropy':
      return {
        cause: 'entropy-gate',
        because: `Its entropy is ${decimal(eviction.entropy)}, and annotate.minEntropy is ${eviction.minEntropy}.`,
        tries: [{ annotate: { minEntropy: below(eviction.entropy) } }],
      };
    case 'low-utility':
      return {
        cause: 'utility-gate',
        because: `Its utility is ${decimal(eviction.utility ?? 0)} nats, and ecs.minUtility is ${eviction.minUtility}.`,
        tries: [{ ecs: { minUtility: null } } as SessionOverrides],
      };
    case 'below-floor':
      return {
        cause: 'relevance-floor',
        because: `Its relevance is ${decimal(relevance)}, and relevance.floor is ${eviction.floor}.`,
        tries: [{ relevance: { floor: below(relevance) } }, { relevance: { floor: 0 } }],
      };
    case 'outranked':
      return {
        cause: 'k-too-small',
        because:
          eviction.k === 1
            ? 'A better chunk took the one place of k.'
            : `Better chunks took the ${count(eviction.k)} places of k.`,
        tries: more,
      };
    case 'over-budget':
      return {
        ...overBudget(it, eviction, tokens),
        tries: [
          ...withoutCap(eviction.limit, budget, trust),
          ...(extract === false ? [{ extract: null }] : []),
          ...more,
        ],
      };
    case 'custom':
      return {
        cause: 'custom-stage',
        because: `Your stage ${quoted(stage)} evicted it.`,
        tries: [{ stages: null }],
      };
    case 'low-grade':
      return {
        cause: 'low-grade',
        because: `The grader gave it ${decimal(eviction.grade)}, and ${decimal(eviction.minGrade)} is the least.`,
        tries: [],
      };
    case 'vetoed':
      return { cause: 'vetoed', because: 'A reviewer excluded its text.', tries: [] };
    default:
      return {
        cause: 'other',
        because: `It was evicted for the reason ${quoted(reasonOf(eviction satisfies never))}.`,
        tries: [],
      };
  }
}

const reasonOf = (eviction: { reason: string }): string => eviction.reason;

function overBudget(
  it: EvictedCase,
  { limit, margin }: Extract<Eviction, { reason: 'over-budget' }>,
  tokens: number,
): Pick<Named, 'cause' | 'because'> {
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
  budget: { chunksPerSource?: number | null; perSource?: number | null },
  trust: readonly { value: string }[],
): SessionOverrides[] {
  if (limit === 'trust') return [{ trust: trust.map(({ value }) => ({ value })) }];
  if (limit === 'chunksPerSource') {
    const next = (budget.chunksPerSource ?? 0) + 1;
    return [{ budget: { chunksPerSource: next } }, { budget: { chunksPerSource: null } } as SessionOverrides];
  }
  return limit === 'perSource' ? [{ budget: { perSource: null } } as SessionOverrides] : [];
}

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

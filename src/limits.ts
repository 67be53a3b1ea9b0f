/** The limits of the result, and a ledger that counts the chunks and tokens spent from them. */
import type { ResolvedOptions } from './input/options.js';
import { documentOf, isBlank } from './pool/candidate.js';
import { defined } from './runtime/defined.js';
import type { Candidate, Degradation, Eviction, EvictionReason } from './types.js';

/** The limits of the result. An absent limit does not bind. */
export interface Limits {
  readonly k?: number | undefined;
  /** `maxTokens` less `reserve`, at least 1. */
  readonly available?: number | undefined;
  readonly perSource?: number | undefined;
  readonly chunksPerSource?: number | undefined;
  /** Limits of each tier of trust, by its place. */
  readonly tiers?:
    | readonly { readonly k?: number | null | undefined; readonly maxTokens?: number | null | undefined }[]
    | undefined;
  /** Counts passages as the one block of a frame, less the texts around them. Absent without a frame. */
  readonly blockTokens?: ((passages: readonly string[]) => number) | undefined;
}

/**
 * The limits that the options set. At least one token is left, because a budget must not be 0.
 *
 * @param around tokens of the texts before and after the passages, which are reserved as well.
 */
export function limitsOf(
  { k, budget, trust }: Pick<ResolvedOptions, 'k' | 'budget' | 'trust'>,
  around: number,
): Limits {
  const { maxTokens, perSource, chunksPerSource } = budget;
  return {
    k: k ?? undefined,
    available: maxTokens == null ? undefined : Math.max(1, maxTokens - budget.reserve - around),
    perSource: perSource ?? undefined,
    chunksPerSource: chunksPerSource ?? undefined,
    tiers: trust.length === 0 ? undefined : trust,
  };
}

/**
 * How many candidates are worth ranking and reading if they can be cut: the first ones that together hold this many times
 * the budget. No sentence of later candidates would be kept.
 */
export const WORTH_RANKING = { times: 4, least: 20 };

type OverBudget = Extract<EvictionReason, { reason: 'over-budget' }>;
/** The limits that an eviction for lack of room can name. */
export type RoomLimit = OverBudget['limit'];
const TOKEN_LIMITS = ['maxTokens', 'perSource', 'trust'] as const satisfies readonly RoomLimit[];
type TokenLimit = (typeof TOKEN_LIMITS)[number];

/** A candidate, as far as limits need it: its document and its tier. */
type Spender = Pick<Candidate, 'namespace' | 'sources' | 'tier'>;

interface Spent {
  chunks: number;
  tokens: number;
}

const NOTHING: Spent = { chunks: 0, tokens: 0 };
const NO_LIMIT = Number.POSITIVE_INFINITY;

/**
 * Counts the chunks and tokens of candidates, in all, by document and by tier, and says how much each limit leaves. A
 * candidate takes one place and the tokens of its rendered text; a part of one that has its place takes only tokens. Tokens
 * of documents that are not known are not limited by source.
 *
 * One ledger counts the packed candidates, another counts a whole pool: both ask the same questions.
 */
export class Ledger implements Spent {
  chunks = 0;
  tokens = 0;
  /** By document, and by tier. Only as far as there are limits for them. */
  readonly #spent = new Map<string | number, Spent>();
  readonly #lastKept = new Map<string, { id: string; relevance: number }>();

  constructor(readonly limits: Limits) {}

  /** Counts a candidate, or a part of one, even if it does not fit. Negative numbers give back. */
  add(spender: Spender, tokens: number, chunks = 1): void {
    this.chunks += chunks;
    this.tokens += tokens;
    for (const group of this.#groupsOf(spender)) {
      const spent = this.#spent.get(group) ?? { chunks: 0, tokens: 0 };
      spent.chunks += chunks;
      spent.tokens += tokens;
      this.#spent.set(group, spent);
    }
  }

  /** The limit that leaves the candidate no place. No limit excludes a pinned one. */
  placeLimit(candidate: Candidate): 'chunksPerSource' | 'trust' | undefined {
    if (candidate.pinned) return undefined;
    const { chunksPerSource = NO_LIMIT } = this.limits;
    if (this.#ofDocument(candidate).chunks >= chunksPerSource) return 'chunksPerSource';
    return this.#ofTier(candidate).chunks >= (this.#tierOf(candidate)?.k ?? NO_LIMIT) ? 'trust' : undefined;
  }

  /** The limit that leaves no room for all tokens of the candidate. */
  tokenLimit(candidate: Candidate): TokenLimit | undefined {
    const { tokens } = candidate.signals;
    const left = this.left(candidate);
    return TOKEN_LIMITS.find((limit) => tokens > left[limit]);
  }

  /** Tokens that each limit leaves for a candidate. Below 0, the limit is exceeded. */
  left(spender: Spender): Record<TokenLimit, number> {
    const { available = NO_LIMIT } = this.limits;
    return {
      maxTokens: available - this.tokens,
      perSource: this.#perSourceOf(spender) - this.#ofDocument(spender).tokens,
      trust: (this.#tierOf(spender)?.maxTokens ?? NO_LIMIT) - this.#ofTier(spender).tokens,
    };
  }

  /** Tokens that all limits leave for a candidate. */
  roomFor(spender: Spender): number {
    const { maxTokens, perSource, trust } = this.left(spender);
    return Math.min(maxTokens, perSource, trust);
  }

  /** Whether a limit is exceeded: one that binds this candidate, or any limit if absent. */
  isOver(spender?: Spender): boolean {
    const { k = NO_LIMIT, available = NO_LIMIT, perSource = NO_LIMIT, tiers } = this.limits;
    if (this.chunks > k || this.tokens > available) return true;
    if (spender !== undefined) return this.roomFor(spender) < 0;
    const mostOf = (group: string | number) =>
      typeof group === 'string' ? perSource : (tiers?.[group]?.maxTokens ?? NO_LIMIT);
    return [...this.#spent].some(([group, { tokens }]) => tokens > mostOf(group));
  }

  /** Whether a candidate fits an empty result, but for the limit of its tier. */
  couldHold(candidate: Candidate): boolean {
    const { available = NO_LIMIT } = this.limits;
    return candidate.signals.tokens <= Math.min(available, this.#perSourceOf(candidate));
  }

  /** Tokens of the candidate's document; 0 if that is not known, or without `perSource`. */
  tokensOfDocument(spender: Spender): number {
    return this.#ofDocument(spender).tokens;
  }

  /**
   * Remembers a candidate that is kept for its relevance, or a part of it, if it is the least relevant one.
   *
   * @param relevance of the candidate or of the part. Absent: not measured, so the candidate does not count.
   */
  keep(candidate: Candidate, relevance: number | undefined): void {
    if (relevance === undefined || candidate.pinned || isBlank(candidate)) return;
    for (const limit of TOKEN_LIMITS) {
      const rivals = rivalsOf(candidate, limit);
      if (relevance <= (this.#lastKept.get(rivals)?.relevance ?? NO_LIMIT))
        this.#lastKept.set(rivals, { id: candidate.id, relevance });
    }
  }

  /**
   * The least relevant candidate that was kept in the room that this one lacks, and how far this one is below it.
   *
   * @param relevance of the candidate or of its best part. Absent: not measured.
   */
  lastKept(
    candidate: Candidate,
    limit: RoomLimit,
    relevance: number | undefined,
  ): Pick<OverBudget, 'lastKept' | 'margin'> {
    const last = this.#lastKept.get(rivalsOf(candidate, limit));
    if (last === undefined || candidate.pinned) return {};
    return defined({
      lastKept: { ...last },
      margin: relevance === undefined ? undefined : last.relevance - relevance,
    });
  }

  #tierOf({ tier }: Spender) {
    return tier === undefined ? undefined : this.limits.tiers?.[tier];
  }

  #perSourceOf(spender: Spender): number {
    const { perSource } = this.limits;
    return perSource === undefined || documentOf(spender) === undefined ? NO_LIMIT : perSource;
  }

  #ofDocument(spender: Spender): Spent {
    const document = this.#spent.size === 0 ? undefined : documentOf(spender);
    return (document === undefined ? undefined : this.#spent.get(document)) ?? NOTHING;
  }

  #ofTier({ tier }: Spender): Spent {
    return (tier === undefined ? undefined : this.#spent.get(tier)) ?? NOTHING;
  }

  #groupsOf(spender: Spender): (string | number)[] {
    const { perSource, chunksPerSource, tiers } = this.limits;
    if (perSource === undefined && chunksPerSource === undefined && tiers === undefined) return [];
    return [documentOf(spender) ?? [], spender.tier ?? []].flat();
  }
}

/** Names the candidates with which this one shares the room that the limit leaves. */
function rivalsOf(candidate: Candidate, limit: RoomLimit): string {
  if (limit === 'maxTokens') return '';
  return limit === 'trust' ? `tier ${candidate.tier}` : `source ${documentOf(candidate)}`;
}

/** Whether all candidates fit together. Then no stage after de-duplication has a reason to evict one. */
export function fits(candidates: readonly Candidate[], limits: Limits): boolean {
  const ledger = new Ledger(limits);
  return candidates.every((candidate) => {
    const limit = ledger.placeLimit(candidate) ?? ledger.tokenLimit(candidate);
    ledger.add(candidate, candidate.signals.tokens);
    return limit === undefined && ledger.chunks <= (limits.k ?? NO_LIMIT);
  });
}

/** Degradations for pinned chunks, and for the best chunk, that did not fit the budget. */
export function complaints(
  stage: string,
  line: readonly Candidate[],
  evicted: readonly Eviction[],
): Degradation[] {
  const degradations: Degradation[] = [];
  const pins = new Set(line.filter((candidate) => candidate.pinned).map((candidate) => candidate.index));
  for (const eviction of evicted) {
    if (eviction.reason !== 'over-budget') continue;
    const { id, index, tokens, limit } = eviction;
    const pinned = pins.has(index);
    if (!pinned && index !== line[0]?.index) continue;
    const what = `${pinned ? 'Pinned chunk' : 'The best chunk,'} ${JSON.stringify(id)} (${tokens} token${tokens === 1 ? '' : 's'})`;
    degradations.push({
      stage,
      code: pinned ? 'pinned-over-budget' : 'best-over-budget',
      message: `${what} does not fit ${limit === 'trust' ? 'its tier' : `budget.${limit}`}.`,
    });
  }
  return degradations;
}

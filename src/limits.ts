import type { ResolvedOptions } from './input/options.js';
import { documentOf } from './pool/candidate.js';
import type { Candidate, Degradation, Eviction, EvictionReason } from './types.js';

/** The limits of the result. An absent limit does not bind. */
export interface Limits {
  readonly k?: number;
  /** `maxTokens` less `reserve`. */
  readonly available?: number;
  readonly reserve: number;
  readonly perSource?: number;
  readonly chunksPerSource?: number;
  /** Limits of each tier of trust, by its place. */
  readonly tiers?: readonly { readonly chunks?: number; readonly tokens?: number }[];
  /** A user's stage sees the result of these limits, so the result of other limits cannot be predicted. */
  readonly isCustom?: boolean;
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
  const reserve = Math.min(
    budget.reserve + (maxTokens == null ? 0 : around),
    maxTokens == null ? Number.POSITIVE_INFINITY : maxTokens - 1,
  );
  return {
    reserve,
    ...(k == null ? {} : { k }),
    ...(maxTokens == null ? {} : { available: maxTokens - reserve }),
    ...(perSource == null ? {} : { perSource }),
    ...(chunksPerSource == null ? {} : { chunksPerSource }),
    ...(trust.length === 0
      ? {}
      : {
          tiers: trust.map(({ k: chunks, maxTokens: tokens }) => ({
            ...(chunks == null ? {} : { chunks }),
            ...(tokens == null ? {} : { tokens }),
          })),
        }),
  };
}

/**
 * How many candidates are worth ranking and reading if they can be cut: the first ones that together hold this many times
 * the budget. No sentence of later candidates would be kept.
 */
export const WORTH_RANKING = { times: 4, least: 20 };

/** Whether all candidates fit together. Then no stage after de-duplication has a reason to evict one. */
export function fits(candidates: readonly Candidate[], limits: Limits): boolean {
  if (candidates.length > (limits.k ?? Number.POSITIVE_INFINITY)) return false;
  const meter = new Meter(limits);
  const places = new Places(limits);
  return candidates.every((candidate) => {
    const hasPlace = places.limitOf(candidate) === undefined;
    places.take(candidate);
    return hasPlace && meter.add(candidate) === undefined;
  });
}

/** Keys of the source and the tier of a candidate. */
const keysOf = (candidate: Candidate) => [`source ${documentOf(candidate)}`, `tier ${candidate.tier}`];

/** The limits that an eviction for lack of room can name. */
export type RoomLimit = Extract<EvictionReason, { reason: 'over-budget' }>['limit'];

/**
 * Whether the needed value of the limit can be predicted. It cannot if chunks are limited by source or tier, or tokens by
 * tier, because the room that these leave depends on what else is kept, or if a user's stage acts on the result.
 */
export function isForeseeable(
  limit: RoomLimit,
  { chunksPerSource, tiers = [], isCustom = false }: Limits,
): limit is 'maxTokens' | 'perSource' {
  const haveCaps =
    isCustom ||
    chunksPerSource !== undefined ||
    tiers.some(({ chunks, tokens }) => chunks !== undefined || tokens !== undefined);
  return !haveCaps && (limit === 'maxTokens' || limit === 'perSource');
}

/** Counts the kept chunks of each source and of each tier, if a limit needs it. */
export class Places {
  readonly #taken = new Map<string, number>();
  readonly #isIdle: boolean;
  constructor(readonly limits: Limits) {
    this.#isIdle = limits.chunksPerSource === undefined && limits.tiers === undefined;
  }

  /** The limit that excludes the candidate. No limit excludes a pinned one. */
  limitOf(candidate: Candidate): 'chunksPerSource' | 'trust' | undefined {
    const { chunksPerSource = Number.POSITIVE_INFINITY, tiers } = this.limits;
    if (this.#isIdle || candidate.pinned) return undefined;
    const [source, tier] = this.#counts(candidate);
    if (documentOf(candidate) !== undefined && source >= chunksPerSource) return 'chunksPerSource';
    const most = candidate.tier === undefined ? undefined : tiers?.[candidate.tier]?.chunks;
    return tier >= (most ?? Number.POSITIVE_INFINITY) ? 'trust' : undefined;
  }

  /** Takes a place, even if none is free. */
  take(candidate: Candidate): void {
    if (this.#isIdle) return;
    const counts = this.#counts(candidate);
    for (const [at, key] of keysOf(candidate).entries()) this.#taken.set(key, (counts[at] as number) + 1);
  }

  #counts(candidate: Candidate): [number, number] {
    return keysOf(candidate).map((key) => this.#taken.get(key) ?? 0) as [number, number];
  }
}

/** Counts candidates and their tokens: in all, and by document and by tier if a limit needs it. */
export class Tally {
  count = 0;
  tokens = 0;
  readonly #byDocument = new Map<string, number>();
  readonly #byTier = new Map<number | undefined, number>();

  constructor(readonly limits: Limits) {}

  add(candidate: Candidate): void {
    this.#change(candidate, 1, candidate.signals.tokens);
  }

  remove(candidate: Candidate): void {
    this.#change(candidate, -1, -candidate.signals.tokens);
  }

  /** Adds tokens of a part of the candidate; negative ones are given back. */
  addTokens(candidate: Candidate, tokens: number): void {
    this.#change(candidate, 0, tokens);
  }

  /** Tokens of the candidate's document; 0 if that is not known, or without `perSource`, which does not bind then. */
  ofDocument(candidate: Candidate): number {
    const document = this.#documentOf(candidate);
    return document === undefined ? 0 : (this.#byDocument.get(document) ?? 0);
  }

  /** Tokens of the candidate's tier; 0 without tiers. */
  ofTier({ tier }: Candidate): number {
    return this.#byTier.get(tier) ?? 0;
  }

  #documentOf(candidate: Candidate): string | undefined {
    return this.limits.perSource === undefined ? undefined : documentOf(candidate);
  }

  #change(candidate: Candidate, count: number, tokens: number): void {
    if (this.limits.tiers !== undefined) this.#byTier.set(candidate.tier, this.ofTier(candidate) + tokens);
    const document = this.#documentOf(candidate);
    if (document !== undefined) this.#byDocument.set(document, this.ofDocument(candidate) + tokens);
    this.count += count;
    this.tokens += tokens;
  }
}

/** Counts tokens as candidates, or parts of them, are packed, and compares them with the limits. */
export class Meter {
  readonly #packed: Tally;
  /** One packed candidate of each document and tier. */
  readonly #documents = new Map<string, Candidate>();
  constructor(readonly limits: Limits) {
    this.#packed = new Tally(limits);
  }

  /** Tokens packed so far. */
  get used(): number {
    return this.#packed.tokens;
  }

  /** Tokens left for this candidate under each limit. Without a known document, `perSource` does not bind it. */
  roomFor(candidate: Candidate): { maxTokens: number; perSource: number; trust: number } {
    const { available = Number.POSITIVE_INFINITY } = this.limits;
    return {
      maxTokens: available - this.#packed.tokens,
      perSource: perSourceOf(candidate, this.limits) - this.#packed.ofDocument(candidate),
      trust: tokensOfTier(candidate, this.limits) - this.#packed.ofTier(candidate),
    };
  }

  /** Whether there is room for this many tokens of the candidate. */
  holds(candidate: Candidate, tokens: number): boolean {
    const { maxTokens, perSource, trust } = this.roomFor(candidate);
    return tokens <= maxTokens && tokens <= perSource && tokens <= trust;
  }

  /** Packs a part of the candidate, even if it does not fit; negative tokens are given back. */
  spend(candidate: Candidate, tokens: number): void {
    this.#packed.addTokens(candidate, tokens);
    if (this.limits.perSource === undefined && this.limits.tiers === undefined) return;
    this.#documents.set(`${candidate.tier} ${documentOf(candidate)}`, candidate);
  }

  /** Whether a limit is exceeded: in all, or for the document or tier of this candidate, or of any candidate if absent. */
  isOver(candidate?: Candidate): boolean {
    if (this.used > (this.limits.available ?? Number.POSITIVE_INFINITY)) return true;
    const spenders = candidate === undefined ? [...this.#documents.values()] : [candidate];
    return spenders.some((each) => !this.holds(each, 0));
  }

  /** Packs the candidate if it fits. Otherwise it returns the limit that excludes it. */
  add(candidate: Candidate): 'maxTokens' | 'perSource' | 'trust' | undefined {
    const { tokens } = candidate.signals;
    const room = this.roomFor(candidate);
    if (tokens > room.maxTokens) return 'maxTokens';
    if (tokens > room.perSource) return 'perSource';
    if (tokens > room.trust) return 'trust';
    this.#packed.add(candidate);
    return undefined;
  }
}

/** The room that a pool needs, counting only candidates that could be kept at all. */
export class Demand {
  readonly #wanted: Tally;

  constructor(
    candidates: readonly Candidate[],
    readonly limits: Limits,
  ) {
    this.#wanted = new Tally(limits);
    for (const candidate of candidates) if (this.#couldStay(candidate)) this.#wanted.add(candidate);
  }

  /** Whether evicting this candidate makes room that others need. */
  wouldEase(candidate: Candidate): boolean {
    if (!this.#couldStay(candidate)) return false;
    const { k = Number.POSITIVE_INFINITY, available = Number.POSITIVE_INFINITY } = this.limits;
    const { count, tokens } = this.#wanted;
    return (
      count > k ||
      tokens > available ||
      this.#wanted.ofDocument(candidate) > perSourceOf(candidate, this.limits) ||
      this.#wanted.ofTier(candidate) > tokensOfTier(candidate, this.limits)
    );
  }

  remove(candidate: Candidate): void {
    if (this.#couldStay(candidate)) this.#wanted.remove(candidate);
  }

  #couldStay(candidate: Candidate): boolean {
    const { available = Number.POSITIVE_INFINITY } = this.limits;
    return candidate.signals.tokens <= Math.min(available, perSourceOf(candidate, this.limits));
  }
}

/** Maximum number of tokens of the candidate's tier. */
export function tokensOfTier({ tier }: Candidate, { tiers }: Limits): number {
  return (tier === undefined ? undefined : tiers?.[tier]?.tokens) ?? Number.POSITIVE_INFINITY;
}

function perSourceOf(candidate: Candidate, { perSource = Number.POSITIVE_INFINITY }: Limits): number {
  return documentOf(candidate) === undefined ? Number.POSITIVE_INFINITY : perSource;
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
    const { id, index, tokens, limit, budgetToKeep } = eviction;
    const pinned = pins.has(index);
    if (!pinned && index !== line[0]?.index) continue;
    const what = `${pinned ? 'Pinned chunk' : 'The best chunk,'} ${JSON.stringify(id)} (${tokens} tokens)`;
    const remedy = budgetToKeep === null ? '' : `; ${budgetToKeep} would keep it`;
    degradations.push({
      stage,
      code: pinned ? 'pinned-over-budget' : 'best-over-budget',
      message: `${what} does not fit budget.${limit}${remedy}.`,
    });
  }
  return degradations;
}

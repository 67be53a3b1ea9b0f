import type { ResolvedOptions } from '../../input/options.js';
import { documentOf } from '../../pool/candidate.js';
import type { TokenCounter } from '../../ports.js';
import { frameText } from '../../prompt/render.js';
import type { Candidate, Degradation, Eviction, EvictionReason } from '../../types.js';

/** What the result has to fit into. Absent bounds do not bind. */
export interface Limits {
  readonly k?: number;
  /** `maxTokens` less `reserve`. */
  readonly available?: number;
  readonly reserve: number;
  readonly perSource?: number;
  readonly chunksPerSource?: number;
  /** Of each tier of trust, by its place. */
  readonly tiers?: readonly { readonly chunks?: number; readonly tokens?: number }[];
  /** A user's stage sees what limits have left, so nothing can be said of what other limits would leave. */
  readonly isCustom?: boolean;
}

/**
 * The limits that the options set. With the option `frame`, the tokens around the passages are reserved as well. At least
 * one token is left, because a budget must not be 0.
 */
export function limitsOf(
  { k, budget, frame, trust }: Pick<ResolvedOptions, 'k' | 'budget' | 'frame' | 'trust'>,
  countTokens: TokenCounter,
): Limits {
  const { maxTokens, perSource, chunksPerSource } = budget;
  const around = frame === false || maxTokens == null ? [] : frameText(frame.spotlight);
  const reserve = Math.min(
    around.reduce((sum, each) => sum + countTokens(each), budget.reserve),
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
 * Of candidates that can be cut, how many are worth ranking and reading: those at the head that hold this many
 * times the budget. What comes after would not get in with a single sentence.
 */
export const WORTH_RANKING = { times: 4, least: 20 };

/** Do all of these fit together? Then no stage after de-duplication has any reason to evict one. */
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

/** By source and by tier. */
const keysOf = (candidate: Candidate) => [`source ${documentOf(candidate)}`, `tier ${candidate.tier}`];

/** The limit that an eviction for want of room names. */
export type RoomLimit = Extract<EvictionReason, { reason: 'over-budget' }>['limit'];

/**
 * Can it be said what the limit would have to be? Not where chunks are counted by source or tier, or tokens by tier: what
 * those leave room for depends on what else is kept.
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

/** How many chunks of each source, and of each tier, are kept. */
export class Places {
  readonly #taken = new Map<string, number>();
  constructor(readonly limits: Limits) {}

  /** The limit in the candidate's way; none is in that of a pinned one. */
  limitOf(candidate: Candidate): 'chunksPerSource' | 'trust' | undefined {
    const { chunksPerSource = Number.POSITIVE_INFINITY, tiers } = this.limits;
    if (candidate.pinned) return undefined;
    const [source, tier] = this.#counts(candidate);
    if (documentOf(candidate) !== undefined && source >= chunksPerSource) return 'chunksPerSource';
    const most = candidate.tier === undefined ? undefined : tiers?.[candidate.tier]?.chunks;
    return tier >= (most ?? Number.POSITIVE_INFINITY) ? 'trust' : undefined;
  }

  /** Takes a place, whether there is one or not. */
  take(candidate: Candidate): void {
    const counts = this.#counts(candidate);
    for (const [at, key] of keysOf(candidate).entries()) this.#taken.set(key, (counts[at] as number) + 1);
  }

  #counts(candidate: Candidate): [number, number] {
    return keysOf(candidate).map((key) => this.#taken.get(key) ?? 0) as [number, number];
  }
}

/** Candidates, their tokens, and tokens by document. */
export class Tally {
  count = 0;
  tokens = 0;
  readonly #byDocument = new Map<string, number>();
  readonly #byTier = new Map<number | undefined, number>();

  add(candidate: Candidate): void {
    this.#change(candidate, 1, candidate.signals.tokens);
  }

  remove(candidate: Candidate): void {
    this.#change(candidate, -1, -candidate.signals.tokens);
  }

  /** Tokens alone, of a part of the candidate; negative ones are given back. */
  addTokens(candidate: Candidate, tokens: number): void {
    this.#change(candidate, 0, tokens);
  }

  /** Tokens of the candidate's document; 0 where that is not known, for `perSource` does not bind then. */
  ofDocument(candidate: Candidate): number {
    const document = documentOf(candidate);
    return document === undefined ? 0 : (this.#byDocument.get(document) ?? 0);
  }

  /** Tokens of the candidate's tier. */
  ofTier({ tier }: Candidate): number {
    return this.#byTier.get(tier) ?? 0;
  }

  #change(candidate: Candidate, count: number, tokens: number): void {
    this.#byTier.set(candidate.tier, this.ofTier(candidate) + tokens);
    const document = documentOf(candidate);
    if (document !== undefined) this.#byDocument.set(document, this.ofDocument(candidate) + tokens);
    this.count += count;
    this.tokens += tokens;
  }
}

/** Counts tokens as candidates, or parts of them, are packed, in all and per document. */
export class Meter {
  readonly #packed = new Tally();
  /** One candidate of each document, and of each tier within it, of which parts are packed. */
  readonly #documents = new Map<string, Candidate>();
  constructor(readonly limits: Limits) {}

  /** Tokens packed so far. */
  get used(): number {
    return this.#packed.tokens;
  }

  /** Tokens that are left for this candidate, by each limit. Without a document `perSource` does not bind it. */
  roomFor(candidate: Candidate): { maxTokens: number; perSource: number; trust: number } {
    const { available = Number.POSITIVE_INFINITY } = this.limits;
    return {
      maxTokens: available - this.#packed.tokens,
      perSource: perSourceOf(candidate, this.limits) - this.#packed.ofDocument(candidate),
      trust: tokensOfTier(candidate, this.limits) - this.#packed.ofTier(candidate),
    };
  }

  /** Is there room for so many tokens of the candidate? */
  holds(candidate: Candidate, tokens: number): boolean {
    const { maxTokens, perSource, trust } = this.roomFor(candidate);
    return tokens <= maxTokens && tokens <= perSource && tokens <= trust;
  }

  /** Packs a part of the candidate, whether it fits or not; negative tokens are given back. */
  spend(candidate: Candidate, tokens: number): void {
    this.#packed.addTokens(candidate, tokens);
    this.#documents.set(`${candidate.tier} ${documentOf(candidate)}`, candidate);
  }

  /** Is more spent than allowed: in all or, of this candidate or else of any, in its document? */
  isOver(candidate?: Candidate): boolean {
    if (this.used > (this.limits.available ?? Number.POSITIVE_INFINITY)) return true;
    const spenders = candidate === undefined ? [...this.#documents.values()] : [candidate];
    return spenders.some((each) => !this.holds(each, 0));
  }

  /** Packs the candidate if it fits and returns nothing; otherwise returns the limit in its way. */
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

/** What a pool would take, of those candidates that could be kept at all, and where that is too much. */
export class Demand {
  readonly #wanted = new Tally();

  constructor(
    candidates: readonly Candidate[],
    readonly limits: Limits,
  ) {
    for (const candidate of candidates) if (this.#couldStay(candidate)) this.#wanted.add(candidate);
  }

  /** Would it help the others if this candidate went? */
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

/** The most tokens of its tier. */
export function tokensOfTier({ tier }: Candidate, { tiers }: Limits): number {
  return (tier === undefined ? undefined : tiers?.[tier]?.tokens) ?? Number.POSITIVE_INFINITY;
}

function perSourceOf(candidate: Candidate, { perSource = Number.POSITIVE_INFINITY }: Limits): number {
  return documentOf(candidate) === undefined ? Number.POSITIVE_INFINITY : perSource;
}

/** What the caller would want to know of that went over the budget: pinned chunks, and the best in line. */
export function complaints(
  stage: string,
  line: readonly Candidate[],
  evicted: readonly Eviction[],
): Degradation[] {
  const degradations: Degradation[] = [];
  const candidates = new Map(line.map((candidate) => [candidate.index, candidate]));
  for (const eviction of evicted) {
    if (eviction.reason !== 'over-budget') continue;
    const { id, index, tokens, limit, budgetToKeep } = eviction;
    const pinned = candidates.get(index)?.pinned;
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

import { documentOf } from './candidate.js';
import type { ResolvedOptions } from './options.js';
import type { Candidate } from './types.js';

/** What the result has to fit into. Absent bounds do not bind. */
export interface Limits {
  readonly k?: number;
  /** `maxTokens` less `reserve`. */
  readonly available?: number;
  readonly reserve: number;
  readonly perSource?: number;
}

export function limitsOf({ k, budget }: Pick<ResolvedOptions, 'k' | 'budget'>): Limits {
  const { maxTokens, reserve, perSource } = budget;
  return {
    reserve,
    ...(k == null ? {} : { k }),
    ...(maxTokens == null ? {} : { available: maxTokens - reserve }),
    ...(perSource == null ? {} : { perSource }),
  };
}

/** Do all of these fit together? Then no stage after de-duplication has any reason to evict one. */
export function fits(candidates: readonly Candidate[], limits: Limits): boolean {
  if (candidates.length > (limits.k ?? Number.POSITIVE_INFINITY)) return false;
  const meter = new Meter(limits);
  return candidates.every((candidate) => meter.add(candidate) === undefined);
}

/** Candidates, their tokens, and tokens by document. */
export class Tally {
  count = 0;
  tokens = 0;
  readonly #byDocument = new Map<string, number>();

  add(candidate: Candidate): void {
    this.#change(candidate, 1);
  }

  remove(candidate: Candidate): void {
    this.#change(candidate, -1);
  }

  /** Tokens of the candidate's document; 0 where that is not known, for `perSource` does not bind then. */
  ofDocument(candidate: Candidate): number {
    const document = documentOf(candidate);
    return document === undefined ? 0 : (this.#byDocument.get(document) ?? 0);
  }

  #change(candidate: Candidate, by: 1 | -1): void {
    const tokens = by * candidate.signals.tokens;
    const document = documentOf(candidate);
    if (document !== undefined) this.#byDocument.set(document, this.ofDocument(candidate) + tokens);
    this.count += by;
    this.tokens += tokens;
  }
}

/** Counts tokens as candidates are packed, in all and per document. */
export class Meter {
  readonly #packed = new Tally();
  constructor(readonly limits: Limits) {}

  /** Tokens packed so far. */
  get used(): number {
    return this.#packed.tokens;
  }

  /** Tokens that are left for this candidate, by each limit. Without a document `perSource` does not bind it. */
  roomFor(candidate: Candidate): { maxTokens: number; perSource: number } {
    const { available = Number.POSITIVE_INFINITY } = this.limits;
    return {
      maxTokens: available - this.#packed.tokens,
      perSource: perSourceOf(candidate, this.limits) - this.#packed.ofDocument(candidate),
    };
  }

  /** Packs the candidate if it fits and returns nothing; otherwise returns the limit in its way. */
  add(candidate: Candidate): 'maxTokens' | 'perSource' | undefined {
    const { tokens } = candidate.signals;
    const room = this.roomFor(candidate);
    if (tokens > room.maxTokens) return 'maxTokens';
    if (tokens > room.perSource) return 'perSource';
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
      this.#wanted.ofDocument(candidate) > perSourceOf(candidate, this.limits)
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

function perSourceOf(candidate: Candidate, { perSource = Number.POSITIVE_INFINITY }: Limits): number {
  return documentOf(candidate) === undefined ? Number.POSITIVE_INFINITY : perSource;
}

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

/** Counts tokens as candidates are packed, in all and per document. */
export class Meter {
  #used = 0;
  readonly #usedByDocument = new Map<string, number>();
  constructor(readonly limits: Limits) {}

  /** Tokens packed so far. */
  get used(): number {
    return this.#used;
  }

  /** Tokens that are left for this candidate, by each limit. Without a document `perSource` does not bind it. */
  roomFor(candidate: Candidate): { maxTokens: number; perSource: number } {
    const { available = Number.POSITIVE_INFINITY, perSource = Number.POSITIVE_INFINITY } = this.limits;
    const document = documentOf(candidate);
    return {
      maxTokens: available - this.#used,
      perSource:
        document === undefined
          ? Number.POSITIVE_INFINITY
          : perSource - (this.#usedByDocument.get(document) ?? 0),
    };
  }

  /** Packs the candidate if it fits and returns nothing; otherwise returns the limit in its way. */
  add(candidate: Candidate): 'maxTokens' | 'perSource' | undefined {
    const { tokens } = candidate.signals;
    const room = this.roomFor(candidate);
    if (tokens > room.maxTokens) return 'maxTokens';
    if (tokens > room.perSource) return 'perSource';
    this.#used += tokens;
    const document = documentOf(candidate);
    if (document !== undefined) {
      this.#usedByDocument.set(document, (this.#usedByDocument.get(document) ?? 0) + tokens);
    }
    return undefined;
  }
}

/** What a pool would take, of those candidates that could be kept at all, and where that is too much. */
export class Demand {
  #count = 0;
  #tokens = 0;
  readonly #byDocument = new Map<string, number>();

  constructor(
    candidates: readonly Candidate[],
    readonly limits: Limits,
  ) {
    for (const candidate of candidates) this.#change(candidate, 1);
  }

  /** Would it help the others if this candidate went? */
  wouldEase(candidate: Candidate): boolean {
    if (!this.#couldStay(candidate)) return false;
    const { k, available, perSource } = this.limits;
    const document = documentOf(candidate);
    return (
      this.#count > (k ?? Number.POSITIVE_INFINITY) ||
      this.#tokens > (available ?? Number.POSITIVE_INFINITY) ||
      (document !== undefined &&
        (this.#byDocument.get(document) ?? 0) > (perSource ?? Number.POSITIVE_INFINITY))
    );
  }

  remove(candidate: Candidate): void {
    this.#change(candidate, -1);
  }

  #couldStay({ signals, sources }: Candidate): boolean {
    const { available = Number.POSITIVE_INFINITY, perSource = Number.POSITIVE_INFINITY } = this.limits;
    const ofSource = sources[0].source === undefined ? Number.POSITIVE_INFINITY : perSource;
    return signals.tokens <= Math.min(available, ofSource);
  }

  #change(candidate: Candidate, by: 1 | -1): void {
    if (!this.#couldStay(candidate)) return;
    const document = documentOf(candidate);
    const tokens = by * candidate.signals.tokens;
    this.#count += by;
    this.#tokens += tokens;
    if (document !== undefined)
      this.#byDocument.set(document, (this.#byDocument.get(document) ?? 0) + tokens);
  }
}

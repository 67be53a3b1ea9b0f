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

/** Counts tokens as candidates are packed, in all and per source. */
export class Meter {
  #used = 0;
  readonly #usedBySource = new Map<string, number>();
  constructor(readonly limits: Limits) {}

  /** Tokens packed so far. */
  get used(): number {
    return this.#used;
  }

  /** Tokens packed so far that are from one source. Without a source a candidate is from one of its own. */
  usedBy(source: string | undefined): number {
    return source === undefined ? 0 : (this.#usedBySource.get(source) ?? 0);
  }

  /** Tokens that a candidate from this source may take. */
  roomFor(source: string | undefined): number {
    const { available = Number.POSITIVE_INFINITY, perSource = Number.POSITIVE_INFINITY } = this.limits;
    const ofSource = source === undefined ? Number.POSITIVE_INFINITY : perSource - this.usedBy(source);
    return Math.min(available - this.#used, ofSource);
  }

  /** Packs the candidate if it fits and returns nothing; otherwise returns the limit in its way. */
  add({ signals, sources }: Candidate): 'maxTokens' | 'perSource' | undefined {
    const { source } = sources[0];
    if (signals.tokens > this.roomFor(undefined)) return 'maxTokens';
    if (signals.tokens > this.roomFor(source)) return 'perSource';
    this.#used += signals.tokens;
    if (source !== undefined) this.#usedBySource.set(source, this.usedBy(source) + signals.tokens);
    return undefined;
  }
}

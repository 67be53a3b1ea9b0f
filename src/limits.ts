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

  /** Packs the candidate if it fits and returns nothing; otherwise returns the limit in its way. */
  add(candidate: Candidate): 'maxTokens' | 'perSource' | undefined {
    const { tokens } = candidate.signals;
    const { source } = candidate.sources[0];
    const ofSource = (source === undefined ? 0 : (this.#usedBySource.get(source) ?? 0)) + tokens;
    if (this.#used + tokens > (this.limits.available ?? Number.POSITIVE_INFINITY)) return 'maxTokens';
    if (source !== undefined && ofSource > (this.limits.perSource ?? Number.POSITIVE_INFINITY))
      return 'perSource';
    this.#used += tokens;
    if (source !== undefined) this.#usedBySource.set(source, ofSource);
    return undefined;
  }
}

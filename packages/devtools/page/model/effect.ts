/** The chunks that come and go between two shapings of one input. */
import type { KeptEntry, ShapingReport } from 'context-shaping';

export interface Effect {
  /** Number of chunks that are kept now. */
  kept: number;
  came: KeptEntry[];
  went: KeptEntry[];
  /** Kept in both, but cut to other parts. */
  recut: KeptEntry[];
}

export function effectOf(before: ShapingReport, now: ShapingReport): Effect {
  const [old, current] = [before, now].map(
    ({ kept }) => new Map(kept.map((entry) => [entry.index, JSON.stringify(entry.excerpts ?? null)])),
  ) as [Map<number, string>, Map<number, string>];
  return {
    kept: now.kept.length,
    came: now.kept.filter(({ index }) => !old.has(index)),
    went: before.kept.filter(({ index }) => !current.has(index)),
    recut: now.kept.filter(({ index }) => old.has(index) && old.get(index) !== current.get(index)),
  };
}

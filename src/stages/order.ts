import type { Order } from '../input/options.js';
import type { PipelineStage } from '../pipeline.js';
import { documentOf } from '../pool/candidate.js';
import { byRelevance } from '../pool/ranking.js';
import { groupBy } from '../runtime/group-by.js';
import type { Candidate } from '../types.js';

/**
 * Puts the chunks into the order of the result.
 *
 * | order | meaning |
 * |---|---|
 * | `relevance` | most relevant first |
 * | `input` | input order |
 * | `source` | chunks of one source together, by position; first the source with the most relevant chunk |
 * | `edges-first` | most relevant first, second most relevant last, and so on inwards, because models overlook the middle |
 *
 * Then preferred chunks of conflicts exchange places with those that they supersede, so that they stand before them. All
 * other chunks stay in their places.
 *
 * Source of `edges-first`: N. F. Liu et al., "Lost in the Middle", TACL 2024.
 */
export function order(by: Order): PipelineStage {
  return {
    name: 'order',
    run: ({ candidates }) => ({
      kept: exchanged(ARRANGE[by](candidates.toSorted(byRelevance))),
      evicted: [],
    }),
  };
}

/** Each function takes the candidates most relevant first. */
const ARRANGE: Readonly<Record<Order, (ranked: readonly Candidate[]) => readonly Candidate[]>> = {
  relevance: (ranked) => ranked,
  input: (ranked) => ranked.toSorted((a, b) => a.index - b.index),
  source: (ranked) => {
    const groups = groupBy(ranked, (candidate) => documentOf(candidate) ?? candidate.index);
    return [...groups.values()].flatMap((group) => group.toSorted(byPosition));
  },
  'edges-first': (ranked) => [
    ...ranked.filter((_, place) => place % 2 === 0),
    ...ranked.filter((_, place) => place % 2 === 1).toReversed(),
  ],
};

/** At the same position, or without positions, the more relevant candidate stays first, because the sort is stable. */
function byPosition(a: Candidate, b: Candidate): number {
  return (a.sources[0].position ?? Number.MAX_VALUE) - (b.sources[0].position ?? Number.MAX_VALUE);
}

/**
 * The line with each candidate after those that it is behind. Only candidates of such pairs move, and only to places that
 * candidates of the same pairs had. Those that are not behind each other keep their order as far as that allows.
 */
function exchanged(line: readonly Candidate[]): readonly Candidate[] {
  if (line.every(({ behind }) => behind === undefined)) return line;
  const placeOf = new Map(line.map(({ index }, place) => [index, place]));
  const ahead = line.map(({ behind = [] }) =>
    behind.flatMap((index) => placeOf.get(index) ?? []).sort((a, b) => a - b),
  );
  const next = ahead.map((places) => [...places]);
  for (const [place, others] of ahead.entries()) for (const other of others) next[other]?.push(place);
  const sorted = [...line];
  const done = new Set<number>();
  for (const start of line.keys()) {
    if (done.has(start)) continue;
    const group = reached([start], (place) => next[place] as number[]).sort((a, b) => a - b);
    const placed = new Set<number>();
    const place = (from: number) => {
      if (placed.has(from)) return;
      for (const other of ahead[from] as number[]) place(other);
      placed.add(from);
    };
    for (const each of group) place(each);
    for (const [at, from] of [...placed].entries()) sorted[group[at] as number] = line[from] as Candidate;
    for (const each of group) done.add(each);
  }
  return sorted;
}

/** All places that can be reached, the first ones included. */
function reached(from: readonly number[], next: (place: number) => readonly number[]): number[] {
  const found = new Set(from);
  for (const place of found) for (const other of next(place)) found.add(other);
  return [...found];
}

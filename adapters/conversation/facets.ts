/** Columns of data with few values: each value stays visible. */
import type { Chunk, ShapedChunk, ShapingReport } from '../../src/index.js';
import { blocksForFacets, FACET_SHARE } from '../structures/index.js';
import type { ReadResult } from './result.js';

/**
 * The kept chunks, and for each value of a column without one its most relevant passage as far as there is room, in the
 * order of the input.
 *
 * @param most maximum tokens of the result.
 */
export function withFacets(
  { pieces, shown }: ReadResult,
  chunks: readonly Chunk[],
  kept: readonly ShapedChunk[],
  { report: { evicted }, most }: { report: ShapingReport; most: number },
): ShapedChunk[] {
  const isKept = new Set(kept.map(({ index }) => index));
  const gone = new Map(evicted.map((eviction) => [eviction.index, eviction]));
  const more = pieces.flatMap(({ structure }, piece): ShapedChunk[] => {
    if (structure === undefined || structure.facets.length === 0) return [];
    const places = [...shown.keys()].filter((index) => shown[index]?.piece === piece);
    const evictionOf = (block: number) => gone.get(places[block] as number);
    const blocks = blocksForFacets(structure.facets, {
      isShown: (block) => isKept.has(places[block] as number),
      mayStay: (block) => evictionOf(block) !== undefined,
      relevanceOf: (block) => evictionOf(block)?.relevance ?? 0,
      tokensOf: (block) => evictionOf(block)?.tokens ?? 0,
      room: most * FACET_SHARE,
    });
    return blocks.map((block) => {
      const index = places[block] as number;
      return { ...(chunks[index] as Chunk), index, tokens: evictionOf(block)?.tokens ?? 0, sources: [] };
    });
  });
  return more.length === 0 ? [...kept] : [...kept, ...more].sort((a, b) => a.index - b.index);
}

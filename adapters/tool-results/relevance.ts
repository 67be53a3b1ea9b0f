/** What of some structures answers a query. */
import type { Chunk, Query, Shaper, ShapingReport } from '../../src/index.js';
import {
  type Block,
  blocksForFacets,
  FACET_SHARE,
  type KeptBlock,
  optionsFor,
  type Structure,
} from '../structures/index.js';

export interface Asked {
  /** The probability that a block answers the query, 0..1. */
  readonly relevanceOf: (block: number, structure: number) => number;
  /** What a shaper keeps of structures without priorities, for each structure. */
  readonly first: readonly (readonly KeptBlock[])[];
  readonly report?: ShapingReport | undefined;
}

interface Question {
  query: Query | string;
  shaper: Shaper;
  maxTokens: number;
  signal?: AbortSignal | undefined;
}

/** Most blocks that are compared with a query: those that are needed most without it. */
const MOST_COMPARED = 4000;

/** Whether blocks have priorities of their kind. What a shaper would choose of the others stays. */
export const hasPriorities = ({ blocks }: Structure): boolean =>
  blocks.some(({ priority }) => priority !== undefined);

export async function ask(structures: readonly Structure[], question: Question): Promise<Asked> {
  const { query, shaper, maxTokens, signal } = question;
  const all = structures.flatMap(({ blocks }, structure) =>
    blocks.map((block, index) => ({ block, index, structure })),
  );
  const asked = all
    .toSorted((a, b) => (b.block.priority ?? 0) - (a.block.priority ?? 0))
    .slice(0, MOST_COMPARED)
    .sort((a, b) => a.structure - b.structure || a.index - b.index);
  const chunks = asked.map(({ block }, at) => chunkOf(block, at));
  const areRead = structures.some((structure) => !hasPriorities(structure));
  const own = shaper.with({
    ...optionsFor(asked.map(({ block }) => block)),
    budget: { maxTokens, reserve: 0 },
    ...(areRead ? {} : { extract: false }),
  });
  const { chunks: stay, report } = await own.shape({ query, chunks, ranked: false, signal });
  const measured = structures.map(
    () => new Map<number, { relevance?: number | undefined; tokens: number }>(),
  );
  for (const each of [...report.kept, ...report.evicted]) {
    const { structure, index } = asked[each.index] as (typeof asked)[number];
    measured[structure]?.set(index, each);
  }
  const relevanceOf = (block: number, structure: number) => measured[structure]?.get(block)?.relevance ?? 0;
  const first = structures.map((structure, at): KeptBlock[] => {
    if (hasPriorities(structure)) return [];
    const kept = stay.flatMap(({ index: place, excerpts, text }): KeptBlock[] => {
      const { structure: of, index, block } = asked[place] as (typeof asked)[number];
      return of === at ? [excerpts !== undefined && block.cuttable ? { index, text } : { index }] : [];
    });
    const byRelevance = kept.sort(
      (a, b) => relevanceOf(b.index, at) - relevanceOf(a.index, at) || a.index - b.index,
    );
    const isShown = new Set(kept.map(({ index }) => index));
    const values = blocksForFacets(structure.facets, {
      isShown: (index) => isShown.has(index),
      mayStay: (index) => measured[at]?.has(index) === true,
      relevanceOf: (index) => relevanceOf(index, at),
      tokensOf: (index) => measured[at]?.get(index)?.tokens ?? 0,
      room: maxTokens * FACET_SHARE,
    });
    return [...values.map((index) => ({ index })), ...byRelevance];
  });
  return { relevanceOf, first, report };
}

function chunkOf({ text, shown, cuttable, title, list }: Block, at: number): Chunk {
  const id = String(at + 1);
  const metadata = { ...(title === undefined ? {} : { title }), source: String(list), position: at };
  if (cuttable) return { id, text, metadata };
  const rendered = `${shown}\n`;
  let whole = text;
  // The shaper cuts only texts that are a part of the counted text.
  while (rendered.includes(whole)) whole += ',';
  return { id, text: whole, rendered, metadata };
}

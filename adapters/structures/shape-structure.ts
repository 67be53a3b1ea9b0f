/** Shapes a structure for a query into a number of tokens. */
import type { Chunk, FlagKind, Query, Shaper, ShapingReport } from '../../src/index.js';
import { blocksForFacets } from './facets.js';
import type { Block, KeptBlock, Rebuilt, Structure } from './types.js';

export interface StructureShaping {
  query: Query | string;
  shaper: Shaper;
  /** Most tokens of the rebuilt text. */
  maxTokens: number;
  /** The number of tokens of each text. */
  countTokens: (texts: readonly string[]) => Promise<readonly number[]>;
  /** The blocks that may stay, by index. Default: all. */
  among?: readonly number[] | undefined;
  /** Blocks with one of these flags do not stay. */
  withhold?: readonly FlagKind[] | undefined;
  /** The id of a block in the report. Default: its number, from 1. */
  idOf?: ((index: number) => string) | undefined;
  signal?: AbortSignal | undefined;
}

export interface ShapedStructure<R extends Rebuilt = Rebuilt> {
  /** Whose blocks `kept` and `rest` count: the given structure, or its `plain` form if its frame has too many tokens. */
  readonly structure: Structure;
  readonly rebuilt: R;
  readonly tokens: number;
  /** Ascending. */
  readonly kept: readonly KeptBlock[];
  /** The blocks that are not shown in full, most relevant first. */
  readonly rest: readonly number[];
  /** False: even without any block, the result has more than `maxTokens`. */
  readonly fits: boolean;
  /** The report of the shaper, with a chunk for each block. Absent if everything fits. */
  readonly report?: ShapingReport | undefined;
}

/** More texts than this are not compared with each other. */
const MOST_TEXTS = 250;
/** Share of the tokens for blocks that stay for a value of a column. */
export const FACET_SHARE = 1 / 8;
const MOST_ROUNDS = 8;

/**
 * Keeps the blocks that answer the query, so that the rebuilt text has at most `maxTokens`. For each value of a column with
 * few values, the most relevant block stays as far as there is room.
 *
 * @throws what the shaper throws, such as the reason of `signal`.
 */
export async function shapeStructure<R extends Rebuilt>(
  structure: Structure<R>,
  shaping: StructureShaping,
): Promise<ShapedStructure<R>> {
  const { maxTokens, countTokens, among, withhold = [] } = shaping;
  const candidates = among ?? [...structure.blocks.keys()];
  const all = candidates.map((index): KeptBlock => ({ index }));
  const { rebuild } = structure;
  const whole = rebuild(all);
  const frame = rebuild([]);
  const [size = 0, least = 0] = await countTokens([whole.text, frame.text]);
  const known = { structure, report: undefined };
  if (size <= maxTokens && withhold.length === 0)
    return { ...known, rebuilt: whole, tokens: size, kept: all, rest: [], fits: true };
  if (least < maxTokens && candidates.length > 0)
    return { structure, ...(await shapeBlocks(structure, candidates, maxTokens - least, shaping)) };
  if (least > maxTokens && structure.plain !== undefined && among === undefined)
    return shapeStructure(structure.plain(), shaping);
  return { ...known, rebuilt: frame, tokens: least, kept: [], rest: candidates, fits: least <= maxTokens };
}

/** @param room tokens for the blocks. */
async function shapeBlocks<R extends Rebuilt>(
  structure: Structure<R>,
  candidates: readonly number[],
  room: number,
  {
    query,
    shaper,
    maxTokens,
    countTokens,
    withhold = [],
    idOf = (index) => String(index + 1),
    signal,
  }: StructureShaping,
): Promise<Omit<ShapedStructure<R>, 'structure'>> {
  const { blocks, facets } = structure;
  const chunks = candidates.map((index) => chunkOf(blocks[index] as Block, index, idOf(index)));
  const session = shaper.with(optionsFor(blocks)).session({ query, chunks, ranked: false, signal });
  for (let round = 1; ; round++) {
    const { chunks: stay, report } = await session.at(
      { budget: { maxTokens: Math.max(1, room), reserve: 0 } },
      { signal },
    );
    const flagged = report.flags.filter((each) => each.flags.some(({ kind }) => withhold.includes(kind)));
    const withheld = new Set(flagged.map(({ index }) => candidates[index] as number));
    const measured = new Map(
      [...report.kept, ...report.evicted].map((each) => [candidates[each.index] as number, each] as const),
    );
    const shown = new Map<number, KeptBlock>();
    for (const { index: at, excerpts, text } of stay) {
      const index = candidates[at] as number;
      const isCut = excerpts !== undefined && blocks[index]?.cuttable;
      if (!withheld.has(index)) shown.set(index, isCut ? { index, text } : { index });
    }
    const relevanceOf = (index: number) => measured.get(index)?.relevance ?? 0;
    const more = blocksForFacets(facets, {
      isShown: (index) => shown.has(index),
      mayStay: (index) => measured.has(index) && !withheld.has(index),
      relevanceOf,
      tokensOf: (index) => measured.get(index)?.tokens ?? 0,
      room: maxTokens * FACET_SHARE,
    });
    for (const index of more) shown.set(index, { index });
    const kept = room > 1 ? [...shown.values()].sort((a, b) => a.index - b.index) : [];
    const rebuilt = structure.rebuild(kept);
    const [tokens = 0] = await countTokens([rebuilt.text]);
    if (tokens <= maxTokens || room <= 1) {
      const missing = new Set([...rebuilt.missing.leftOut, ...rebuilt.missing.cut]);
      const rest = candidates
        .filter((index) => missing.has(index))
        .sort((a, b) => relevanceOf(b) - relevanceOf(a) || a - b);
      return { rebuilt, tokens, kept, rest, fits: tokens <= maxTokens, report };
    }
    // Headers, headings and separators of the kept blocks have tokens too.
    room =
      round < MOST_ROUNDS
        ? Math.floor(Math.min(room - (tokens - maxTokens), room * 0.98))
        : Math.floor(room / 2);
  }
}

/**
 * The options under which a shaper shapes blocks: in their order, and without the stages that compare them with each
 * other if some are data. A row that resembles another is no copy, and comparing thousands of rows takes minutes.
 */
export function optionsFor(blocks: readonly Pick<Block, 'cuttable'>[]): {
  order: 'input';
  exactDedup?: false;
  semanticDedup?: false;
  cluster?: false;
  select?: false;
} {
  const areTexts = blocks.length <= MOST_TEXTS && blocks.every(({ cuttable }) => cuttable);
  return {
    order: 'input',
    ...(areTexts ? {} : { exactDedup: false, semanticDedup: false, cluster: false, select: false }),
  };
}

function chunkOf({ text, shown, cuttable, title, list }: Block, index: number, id: string): Chunk {
  const metadata = { ...(title === undefined ? {} : { title }), source: String(list), position: index };
  if (cuttable) return { id, text, metadata };
  const rendered = `${shown}\n`;
  let whole = text;
  // The shaper cuts only texts that are a part of the counted text.
  while (rendered.includes(whole)) whole += ',';
  return { id, text: whole, rendered, metadata };
}

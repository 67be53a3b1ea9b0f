/** Shapes a structure for a query into a number of tokens. */
import type {
  Chunk,
  FlagKind,
  Query,
  ShapedChunk,
  Shaper,
  ShapingOverrides,
  ShapingReport,
} from '../../src/index.js';
import type { Block, Facet, KeptBlock, Rebuilt, Structure } from './types.js';

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
  /** The report of the shaper. Absent if everything fits. A chunk of it may be several blocks. */
  readonly report?: ShapingReport | undefined;
}

/** More blocks than this are shaped in groups of neighbours, because each is compared with the query by all features. */
const MOST_CHUNKS = 4000;
/** With a service that is asked about each chunk. */
const MOST_ASKED = 250;
/** Share of the tokens for blocks that stay for a value of a column. */
const FACET_SHARE = 1 / 8;
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
  const { blocks } = structure;
  const groups = groupsOf(candidates, blocks, mostChunks(shaper));
  const chunks = groups.map((members) => chunkOf(members, blocks, idOf));
  const session = shaper.with(optionsFor(blocks)).session({ query, chunks, ranked: false, signal });
  for (let round = 1; ; round++) {
    const { chunks: stay, report } = await session.at(
      { budget: { maxTokens: Math.max(1, room), reserve: 0 } },
      { signal },
    );
    const shaped = new Shaped(groups, stay, report, withhold);
    if (room > 1) shaped.keepFacets(structure.facets, maxTokens * FACET_SHARE);
    const kept = room > 1 ? shaped.kept(blocks) : [];
    const rebuilt = structure.rebuild(kept);
    const [tokens = 0] = await countTokens([rebuilt.text]);
    if (tokens <= maxTokens || room <= 1)
      return { rebuilt, tokens, kept, rest: shaped.rest(rebuilt), fits: tokens <= maxTokens, report };
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
export function optionsFor(blocks: readonly Pick<Block, 'cuttable'>[]): ShapingOverrides {
  const areTexts = blocks.length <= MOST_ASKED && blocks.every(({ cuttable }) => cuttable);
  return {
    order: 'input',
    k: null,
    ...(areTexts ? {} : { exactDedup: false, semanticDedup: false, cluster: false, select: false }),
  };
}

function mostChunks({ options }: Shaper): number {
  return options.embedder !== undefined || options.ecs !== false ? MOST_ASKED : MOST_CHUNKS;
}

/** Neighbours of one list form a group. */
function groupsOf(candidates: readonly number[], blocks: readonly Block[], most: number): number[][] {
  const length = Math.ceil(candidates.length / most);
  const groups: number[][] = [];
  for (const index of candidates) {
    const last = groups.at(-1);
    const before = last?.[0];
    if (last !== undefined && last.length < length && blocks[before as number]?.list === blocks[index]?.list)
      last.push(index);
    else groups.push([index]);
  }
  return groups;
}

function chunkOf(
  members: readonly number[],
  blocks: readonly Block[],
  idOf: (index: number) => string,
): Chunk {
  const first = blocks[members[0] as number] as Block;
  const metadata = {
    ...(first.title === undefined ? {} : { title: first.title }),
    source: String(first.list),
    position: members[0],
  };
  const id = idOf(members[0] as number);
  if (members.length === 1 && first.cuttable) return { id, text: first.text, metadata };
  const of = (field: 'text' | 'shown') => members.map((index) => (blocks[index] as Block)[field]).join('\n');
  const rendered = `${of('shown')}\n`;
  let text = of('text');
  // A text that is not a part of what is counted is not cut.
  while (rendered.includes(text)) text += ',';
  return { id, text, rendered, metadata };
}

/** The chunks that stay, by their place in the input. */
class Shaped {
  readonly #kept: Map<number, ShapedChunk>;
  readonly #facets = new Set<number>();
  readonly #relevance: readonly number[];
  readonly #tokens: readonly number[];
  readonly #withheld: ReadonlySet<number>;

  constructor(
    private readonly groups: readonly (readonly number[])[],
    stay: readonly ShapedChunk[],
    { kept, evicted, flags }: ShapingReport,
    withhold: readonly FlagKind[],
  ) {
    const flagged = flags.filter((each) => each.flags.some(({ kind }) => withhold.includes(kind)));
    this.#withheld = new Set(flagged.map(({ index }) => index));
    this.#kept = new Map(
      stay.filter(({ index }) => !this.#withheld.has(index)).map((chunk) => [chunk.index, chunk]),
    );
    const relevance: number[] = [];
    const tokens: number[] = [];
    for (const each of [...kept, ...evicted]) {
      relevance[each.index] = each.relevance ?? 0;
      tokens[each.index] = each.tokens;
    }
    this.#relevance = relevance;
    this.#tokens = tokens;
  }

  /** Adds the most relevant chunk for each value without one, as long as they have at most so many tokens. */
  keepFacets(facets: readonly Facet[], most: number): void {
    const groupOf = new Map(
      this.groups.flatMap((members, at) => members.map((index) => [index, at] as const)),
    );
    let room = most;
    for (const { values } of facets)
      for (const { blocks } of values) {
        const among = new Set(blocks.flatMap((block) => groupOf.get(block) ?? []));
        if ([...among].some((at) => this.#kept.has(at) || this.#facets.has(at))) continue;
        const best = [...among]
          .filter((at) => !this.#withheld.has(at))
          .reduce<number | undefined>(
            (best, at) =>
              best === undefined || (this.#relevance[at] ?? 0) > (this.#relevance[best] ?? 0) ? at : best,
            undefined,
          );
        const tokens = best === undefined ? 0 : (this.#tokens[best] ?? 0);
        if (best === undefined || tokens > room) continue;
        room -= tokens;
        this.#facets.add(best);
      }
  }

  kept(blocks: readonly Block[]): KeptBlock[] {
    return this.groups.flatMap((members, at) => {
      if (this.#facets.has(at)) return members.map((index) => ({ index }));
      const chunk = this.#kept.get(at);
      if (chunk === undefined) return [];
      const [index] = members;
      const isCut = chunk.excerpts !== undefined && members.length === 1 && blocks[index as number]?.cuttable;
      return isCut ? [{ index: index as number, text: chunk.text }] : members.map((index) => ({ index }));
    });
  }

  /** The blocks that are not shown in full, most relevant first. */
  rest({ missing }: Rebuilt): number[] {
    const missed = new Set([...missing.leftOut, ...missing.cut]);
    return [...this.groups.keys()]
      .sort((a, b) => (this.#relevance[b] ?? 0) - (this.#relevance[a] ?? 0) || a - b)
      .flatMap((at) => (this.groups[at] as readonly number[]).filter((index) => missed.has(index)));
  }
}

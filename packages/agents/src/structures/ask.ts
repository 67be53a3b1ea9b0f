/** Finds the blocks of structures that answer a query. */
import type { Chunk, Query, Shaper, ShapingReport } from 'context-shaping';
import type { Block, KeptBlock, Structure } from './types.js';
import { wordRelevance } from './word-relevance.js';

export interface Question {
  query: Query | string;
  shaper: Shaper;
  /** Most tokens of the blocks that a shaper chooses. */
  maxTokens: number;
  /** The id of a block in the report. Default: its number among all blocks, from 1. */
  idOf?: ((block: number, structure: number) => string) | undefined;
  /** Whether a block may stay. Default: all. */
  mayStay?: ((block: number, structure: number) => boolean) | undefined;
  signal?: AbortSignal | undefined;
}

export interface Asked {
  /** How much a block is wanted, 0..1: its priority or an error in it, and the probability that it answers the query. */
  readonly scoreOf: (block: number, structure: number) => number;
  /** The blocks without priorities that the shaper chose or that have errors, the best first, for each structure. */
  readonly first: readonly (readonly KeptBlock[])[];
  readonly mayStay: (block: number, structure: number) => boolean;
  /** Whether the shaper evicted the block for its flags. */
  readonly isWithheld: (block: number, structure: number) => boolean;
  /** Whether the shaper left the block out as a copy of another one. */
  readonly isCopy: (block: number, structure: number) => boolean;
  /** A chunk for each block that was compared. */
  readonly report: ShapingReport;
}

/**
 * Most blocks that a shaper compares with a query by all features: those that are needed most, by their priorities and
 * their words. Some 4000 rows take .3 seconds.
 */
const MOST_COMPARED = 4000;
/** More texts than this are not compared with each other. */
const MOST_TEXTS = 250;

/** Whether the kind of the result says which blocks are needed. A shaper chooses among the others. */
export const hasPriorities = ({ blocks }: Structure): boolean =>
  blocks.some(({ priority }) => priority !== undefined);

/** @throws what the shaper throws, such as the reason of `signal`. */
export async function ask(structures: readonly Structure[], question: Question): Promise<Asked> {
  const { query, shaper, maxTokens, signal } = question;
  const text = typeof query === 'string' ? query : query.text;
  const asked = comparedOf(structures, text, question.mayStay);
  const chunks = asked.map(({ block, index, structure }, at) =>
    chunkOf(block, at, question.idOf?.(index, structure) ?? String(at + 1)),
  );
  const own = shaper.with({
    ...optionsFor(asked.map(({ block }) => block)),
    budget: { maxTokens },
    ...(asked.some(({ block }) => block.cuttable) ? {} : { extract: false }),
  });
  const { chunks: stay, report } = await own.shape({ query, chunks, ranked: false, signal });
  const found = structures.map(() => new Map<number, Found>());
  for (const each of [...report.kept, ...report.evicted]) {
    const { structure, index } = asked[each.index] as Compared;
    const { relevance = 0, reason = '' } = { reason: undefined, ...each };
    const [isCopy, isWithheld] = [/duplicate$/.test(reason), reason === 'flagged'];
    found[structure]?.set(index, { relevance, isCopy, isWithheld });
  }
  const of = (block: number, structure: number) => found[structure]?.get(block);
  const byKind = structures.map(({ relevance }) => relevance?.(text));
  const relevanceOf = (block: number, structure: number) =>
    byKind[structure]?.[block] ?? of(block, structure)?.relevance ?? 0;
  const mayStay = (block: number, structure: number) =>
    question.mayStay?.(block, structure) !== false && of(block, structure)?.isWithheld !== true;
  const errors = structures.map(({ blocks }) => errorsIn(blocks));
  const scoreOf = (block: number, structure: number) => {
    const priority = structures[structure]?.blocks[block]?.priority ?? 0;
    const wanted = Math.max(priority, errors[structure]?.get(block) ?? 0);
    return 1 - (1 - wanted) * (1 - relevanceOf(block, structure));
  };
  return {
    scoreOf,
    first: structures.map((structure, at) => {
      if (structure.blocks.every(({ priority }) => priority !== undefined)) return [];
      const kept = stay.flatMap(({ index: place, excerpts, text }): KeptBlock[] => {
        const { structure: owner, index, block } = asked[place] as Compared;
        if (owner !== at || block.priority !== undefined || !mayStay(index, at)) return [];
        return [excerpts !== undefined && block.cuttable ? { index, text } : { index }];
      });
      const chosen = new Set(kept.map(({ index }) => index));
      for (const index of errors[at]?.keys() ?? [])
        if (!chosen.has(index) && mayStay(index, at)) kept.push({ index });
      return kept.sort((a, b) => scoreOf(b.index, at) - scoreOf(a.index, at) || a.index - b.index);
    }),
    mayStay,
    isWithheld: (block, structure) => of(block, structure)?.isWithheld === true,
    isCopy: (block, structure) => of(block, structure)?.isCopy === true,
    report,
  };
}

/** The first error comes behind a block that answers, and before those that may answer. */
const ERROR = 0.5;
/** The rarity of the first two errors of a kind is above it. That of rare values is not: they would take the room of answers. */
const IS_ERROR = 0.8;

/** How much the first errors of each kind are wanted beside a question: the second one half as much. */
function errorsIn(blocks: readonly Block[]): Map<number, number> {
  const rarityOf = (at: number) => blocks[at]?.rarity ?? 0;
  const errors = [...blocks.keys()].filter(
    (at) => blocks[at]?.priority === undefined && rarityOf(at) > IS_ERROR,
  );
  errors.sort((a, b) => rarityOf(b) - rarityOf(a));
  return new Map(errors.map((at, place) => [at, (ERROR * rarityOf(at)) / (1 + place)]));
}

/** Share of the first block of a result without a query, and of the last one: less than anything that stands out. */
const HEAD = 0.05;
const TAIL = 0.0125;

/** How much a block is wanted without a query, 0..1: rare ones, then the beginning, and a little of the end. */
export function priorityOf(structures: readonly Structure[], block: number, structure: number): number {
  const blocks = structures[structure]?.blocks ?? [];
  const { priority, rarity = 0 } = blocks[block] ?? {};
  const place = Math.max(HEAD / (1 + block), TAIL / (blocks.length - block));
  return priority === undefined ? Math.max(rarity, place) : Math.max(rarity, priority);
}

/** A block that is compared with the query. */
interface Compared {
  readonly block: Block;
  readonly index: number;
  readonly structure: number;
}

/** The shaper's answer about a block. */
interface Found {
  readonly relevance: number;
  readonly isCopy: boolean;
  readonly isWithheld: boolean;
}

function comparedOf(
  structures: readonly Structure[],
  query: string,
  mayStay: Question['mayStay'] = () => true,
): Compared[] {
  const all = structures.flatMap(({ blocks }, structure) =>
    blocks.flatMap((block, index) => (mayStay(index, structure) ? [{ block, index, structure }] : [])),
  );
  if (all.length <= MOST_COMPARED) return all;
  const words = wordRelevance(all.map(({ block }) => block))(query);
  return all
    .map((each, at) => ({ ...each, at, score: (each.block.priority ?? 0) + (words[at] as number) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_COMPARED)
    .sort((a, b) => a.at - b.at);
}

/**
 * The options under which a shaper shapes blocks: in their order, and without the stages that compare them with each
 * other if some are data. A row that resembles another is no copy, and comparing thousands of rows takes minutes.
 */
function optionsFor(blocks: readonly Pick<Block, 'cuttable'>[]) {
  const areTexts = blocks.length <= MOST_TEXTS && blocks.every(({ cuttable }) => cuttable);
  const order = 'input' as const;
  return areTexts
    ? { order }
    : ({ order, exactDedup: false, semanticDedup: false, cluster: false, select: false } as const);
}

function chunkOf({ text, shown, cuttable, title, list }: Block, at: number, id: string): Chunk {
  const metadata = { ...(title === undefined ? {} : { title }), source: String(list), position: at };
  if (cuttable) return { id, text, metadata };
  const rendered = `${shown}\n`;
  let whole = text;
  // The shaper cuts only texts that are a part of the counted text.
  while (rendered.includes(whole)) whole += ',';
  return { id, text: whole, rendered, metadata };
}

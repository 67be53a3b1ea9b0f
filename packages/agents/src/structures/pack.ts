/** Chooses the blocks of structures that stay, so that their room is used. */
import { unitsOf } from 'context-shaping/internal';
import type { Block, KeptBlock, Rebuilt, Structure } from './types.js';

export interface Packing {
  /** Most tokens of the rebuilt texts together. */
  maxTokens: number;
  /** The number of tokens of each text. */
  countTokens: (texts: readonly string[]) => Promise<readonly number[]>;
  /** How much a block is wanted: higher first, then the first structure, then the first block. */
  scoreOf: (block: number, structure: number) => number;
  /** Blocks that are chosen before all others, in this order, for each structure. A cut block may become whole. */
  first?: readonly (readonly KeptBlock[])[] | undefined;
  /** Whether a block may stay. Default: all. */
  mayStay?: ((block: number, structure: number) => boolean) | undefined;
}

export interface Packed {
  /** For each structure, ascending. */
  readonly kept: readonly (readonly KeptBlock[])[];
  readonly rebuilt: readonly Rebuilt[];
  readonly tokens: number;
  /** False: even without any block, the texts have more than `maxTokens`. */
  readonly fits: boolean;
}

/** Texts of one result as they count together. */
export const joined = (texts: readonly string[]): string => texts.filter((text) => text !== '').join('\n\n');

/** A way to show a block. */
interface Candidate extends KeptBlock {
  readonly structure: number;
  readonly score: number;
}

const MOST_ROUNDS = 8;
/** A round that leaves less of the room is the last. */
const FULL = 0.98;
/** Least share of the room for a part of a block: less would show fragments. */
const PART_SHARE = 1 / 10;
/** A sentence is cut behind its words if it is longer, in characters. */
const LONG_SENTENCE = 150;
/** So many blocks are tried to be cut. */
const MOST_PARTS = 4;
/** So many candidates are counted at once. */
const BATCH = 64;
/** After so many candidates that do not fit, the rest is not tried. */
const MOST_MISSES = 256;

/** Keeps blocks in the order of their scores, each with all that it needs, as long as they fit. */
export async function pack(structures: readonly Structure[], packing: Packing): Promise<Packed> {
  const { maxTokens, countTokens } = packing;
  const counted = new Counts(countTokens);
  const candidates = candidatesOf(structures, packing);
  const built = async (kept: readonly (readonly KeptBlock[])[]): Promise<Packed> => {
    const rebuilt = structures.map(({ rebuild }, at) => rebuild(kept[at] ?? []));
    const [tokens = 0] = await countTokens([joined(rebuilt.map(({ text }) => text))]);
    return { kept, rebuilt, tokens, fits: tokens <= maxTokens };
  };
  let best = await built(structures.map(() => []));
  if (!best.fits) return best;
  // Separators and marks of gaps have tokens too, and a text can have fewer tokens than its parts: the room is corrected.
  let room = maxTokens - best.tokens;
  let [low, high] = [0, Number.POSITIVE_INFINITY];
  for (let round = 1; round <= MOST_ROUNDS && room > low && room < high; round++) {
    const choice = new Choice(structures, room);
    await choice.take(candidates, counted);
    const packed = await built(choice.kept());
    if (packed.fits && packed.tokens > best.tokens) best = packed;
    const left = maxTokens - packed.tokens;
    if (choice.misses === 0 || (packed.fits && left < maxTokens * (1 - FULL))) break;
    if (packed.fits) low = room;
    else high = room;
    room = Math.floor(packed.fits ? room + left * 0.9 : Math.min(room + left * 1.1, room * 0.98));
    if (room <= low || room >= high) room = Math.floor((low + Math.min(high, low + 2 * left)) / 2);
  }
  // The beginnings of the best texts that are not shown, measured as they are written.
  const isEnough = () => maxTokens - best.tokens < maxTokens * PART_SHARE;
  const left = best.rebuilt.map(({ missing }) => new Set(missing.leftOut));
  let tried = 0;
  for (const { structure, index, text, isFolded } of candidates) {
    if (isEnough() || tried >= MOST_PARTS) break;
    const block = structures[structure]?.blocks[index] as Block;
    const isOpen = !isFolded && text === undefined && left[structure]?.delete(index) === true;
    if (!isOpen || !(block.cuttable || block.isText)) continue;
    const others = best.kept.map((each, at) => each.filter((own) => at !== structure || own.index !== index));
    tried++;
    const { shown, cuttable } = block;
    const words = cuttable && shown.length <= LONG_SENTENCE ? [] : wordsIn(shown);
    for (const ends of [cuttable ? sentencesIn(shown) : linesIn(shown), words]) {
      let [least, most] = [0, isEnough() ? 0 : ends.length];
      while (least < most) {
        const middle = Math.ceil((least + most) / 2);
        const part = { index, text: beginning(shown, ends, middle) };
        const kept = others.map((each, at) =>
          at === structure ? [...each, part].sort((a, b) => a.index - b.index) : each,
        );
        const packed = await built(kept);
        if (packed.fits && packed.tokens > best.tokens) best = packed;
        if (packed.fits) least = middle;
        else most = middle - 1;
      }
    }
  }
  return best;
}

function candidatesOf(
  structures: readonly Structure[],
  { scoreOf, first = [], mayStay = () => true }: Packing,
): Candidate[] {
  const before = first.flatMap((blocks, structure) =>
    blocks.map((block): Candidate => ({ ...block, structure, score: Number.POSITIVE_INFINITY })),
  );
  const others = structures.flatMap(({ blocks }, structure) =>
    blocks.flatMap(({ folded }, index): Candidate[] => {
      if (!mayStay(index, structure)) return [];
      const score = scoreOf(index, structure);
      const whole = { index, structure, score };
      return folded === undefined ? [whole] : [whole, { ...whole, score: folded.priority, isFolded: true }];
    }),
  );
  return [...before, ...others.sort((a, b) => b.score - a.score)];
}

/** The tokens of texts. Each text is counted once. */
class Counts {
  readonly #known = new Map<string, number>();

  constructor(private readonly count: Packing['countTokens']) {}

  async ask(texts: readonly string[]): Promise<void> {
    const asked = [...new Set(texts)].filter((text) => !this.#known.has(text));
    const tokens = asked.length === 0 ? [] : await this.count(asked);
    for (const [at, text] of asked.entries()) this.#known.set(text, tokens[at] as number);
  }

  sum(texts: readonly string[]): number {
    return texts.reduce((all, text) => all + (this.#known.get(text) as number), 0);
  }
}

/** The blocks that are chosen so far. */
class Choice {
  readonly #shown: Set<number>[];
  readonly #chosen: Map<number, KeptBlock>[];
  /** Candidates that did not fit or were not tried. */
  misses = 0;

  constructor(
    private readonly structures: readonly Structure[],
    private room: number,
  ) {
    this.#shown = structures.map(() => new Set([0]));
    this.#chosen = structures.map(() => new Map());
  }

  async take(candidates: readonly Candidate[], counts: Counts): Promise<void> {
    for (let from = 0; from < candidates.length; from += BATCH) {
      const some = candidates.slice(from, from + BATCH);
      await counts.ask(some.flatMap((each) => Object.values(this.#changeOf(each)).flat()));
      for (const each of some) this.#try(each, counts);
      if (this.misses < MOST_MISSES && this.room > 0) continue;
      this.misses++;
      return;
    }
  }

  kept(): KeptBlock[][] {
    return this.#chosen.map((chosen) => [...chosen.values()].sort((a, b) => a.index - b.index));
  }

  /** The hidden parts that show a block, with all that they need. A shorter text needs only what holds the block. */
  #partsOf({ structure, index, isFolded }: Candidate): Set<number> {
    const { parts, partsOf } = this.structures[structure] as Structure;
    const needed = new Set<number>();
    const own = partsOf[index] as readonly number[];
    const open = isFolded ? own.slice(0, 1).flatMap((part) => parts[part]?.needs[0] ?? []) : [...own];
    for (let part = open.pop(); part !== undefined; part = open.pop()) {
      if (needed.has(part) || this.#shown[structure]?.has(part)) continue;
      needed.add(part);
      open.push(...(parts[part]?.needs ?? []));
    }
    return needed;
  }

  /** The texts that a candidate adds, and those in whose place they stand: its shorter text, or its cut one. */
  #changeOf(candidate: Candidate): { added: string[]; gone: string[] } {
    const { structure, index, text, isFolded } = candidate;
    const { parts, partsOf, blocks } = this.structures[structure] as Structure;
    const folded = blocks[index]?.folded?.text ?? '';
    const hidden = [...this.#partsOf(candidate)];
    if (isFolded) return { added: [folded, ...hidden.map((part) => parts[part]?.text ?? '')], gone: [] };
    const before = this.#chosen[structure]?.get(index);
    const own = partsOf[index] as readonly number[];
    const needed = hidden.filter((part) => text === undefined || !own.includes(part));
    const shown = before?.text === undefined ? needed : [...needed, ...own];
    return {
      added: [...shown.map((part) => parts[part]?.text ?? ''), ...(text === undefined ? [] : [text])],
      gone: before?.isFolded ? [folded] : before?.text === undefined ? [] : [before.text],
    };
  }

  #try(candidate: Candidate, counts: Counts): void {
    const { structure, index, text, isFolded } = candidate;
    const shown = this.#shown[structure] as Set<number>;
    const chosen = this.#chosen[structure] as Map<number, KeptBlock>;
    const before = chosen.get(index);
    const own = this.structures[structure]?.partsOf[index] ?? [];
    if (before?.text === undefined && own.every((part) => shown.has(part))) return;
    if (isFolded && before !== undefined) return;
    const { added, gone } = this.#changeOf(candidate);
    const tokens = counts.sum(added) - counts.sum(gone);
    if (tokens > this.room) {
      this.misses++;
      return;
    }
    this.room -= tokens;
    for (const part of this.#partsOf(candidate)) shown.add(part);
    chosen.set(index, isFolded ? { index, isFolded } : text === undefined ? { index } : { index, text });
  }
}

const sentencesIn = (text: string): number[] => unitsOf(text).map(({ end }) => end);

const linesIn = (text: string): number[] => [
  ...Array.from(text.matchAll(/\n/g), ({ index }) => index),
  text.length,
];

const wordsIn = (text: string): number[] =>
  Array.from(text.matchAll(/\S{1,40}/g), ({ index, 0: word }) => index + word.length);

const beginning = (text: string, ends: readonly number[], count: number): string =>
  `${text.slice(0, ends[count - 1]).trimEnd()} …`;

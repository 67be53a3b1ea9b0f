/** Chooses the blocks of structures that stay, so that their room is used. */
import { unitsOf } from 'context-shaping/internal';
import type { KeptBlock, Rebuilt, Structure } from './types.js';

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
  /** The text that counts. Default: the rebuilt texts with blank lines between them. */
  join?: ((texts: readonly string[]) => string) | undefined;
}

export interface Packed<R extends Rebuilt = Rebuilt> {
  /** For each structure, ascending. */
  readonly kept: readonly (readonly KeptBlock[])[];
  readonly rebuilt: readonly R[];
  readonly tokens: number;
  /** False: even without any block, the texts have more than `maxTokens`. */
  readonly fits: boolean;
}

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
/** So many candidates are counted at once. */
const BATCH = 64;
/** After so many candidates that do not fit, the rest is not tried. */
const MOST_MISSES = 256;

/** Keeps blocks in the order of their scores, each with all that it needs, as long as they fit. */
export async function pack<R extends Rebuilt>(
  structures: readonly Structure<R>[],
  packing: Packing,
): Promise<Packed<R>> {
  const { maxTokens, countTokens, join = (texts) => texts.join('\n\n') } = packing;
  const counted = new Counts(countTokens);
  const candidates = candidatesOf(structures, packing);
  const built = async (kept: readonly (readonly KeptBlock[])[]): Promise<Packed<R>> => {
    const rebuilt = structures.map(({ rebuild }, at) => rebuild(kept[at] ?? []));
    const [tokens = 0] = await countTokens([join(rebuilt.map(({ text }) => text))]);
    return { kept, rebuilt, tokens, fits: tokens <= maxTokens };
  };
  let best = await built(structures.map(() => []));
  if (!best.fits) return best;
  // Separators and marks of gaps have tokens too, and a text can have fewer tokens than its parts: the room is corrected.
  let room = maxTokens - best.tokens;
  for (let round = 1; round <= MOST_ROUNDS && room > 0; round++) {
    const choice = new Choice(structures, room);
    await choice.take(candidates, counted);
    await choice.takePart(candidates, counted);
    const packed = await built(choice.kept());
    if (packed.fits && packed.tokens > best.tokens) best = packed;
    const left = maxTokens - packed.tokens;
    if (choice.isComplete || (packed.fits && left < maxTokens * (1 - FULL))) break;
    room = Math.floor(packed.fits ? room + left * 0.9 : Math.min(room + left * 1.1, room * 0.98));
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

/** The tokens of texts, and the places where they may be cut. Each text is read once. */
class Counts {
  readonly #known = new Map<string, number>();
  readonly #ends = new Map<string, readonly number[]>();

  constructor(private readonly count: Packing['countTokens']) {}

  async ask(texts: Iterable<string>): Promise<void> {
    const asked = [...new Set(texts)].filter((text) => !this.#known.has(text));
    if (asked.length === 0) return;
    for (const [at, tokens] of (await this.count(asked)).entries())
      this.#known.set(asked[at] as string, tokens);
  }

  of(text: string): number {
    return this.#known.get(text) as number;
  }

  endsIn(text: string): readonly number[] {
    const ends = this.#ends.get(text) ?? endsIn(text);
    this.#ends.set(text, ends);
    return ends;
  }
}

/** The blocks that are chosen so far. */
class Choice {
  readonly #shown: Set<number>[];
  readonly #chosen: Map<number, KeptBlock>[];
  #left: number;
  #misses = 0;

  constructor(
    private readonly structures: readonly Structure[],
    private readonly room: number,
  ) {
    this.#left = room;
    this.#shown = structures.map(() => new Set([0]));
    this.#chosen = structures.map(() => new Map());
  }

  /** Whether every candidate was taken. */
  get isComplete(): boolean {
    return this.#misses === 0;
  }

  async take(candidates: readonly Candidate[], counts: Counts): Promise<void> {
    for (let from = 0; from < candidates.length; from += BATCH) {
      const some = candidates.slice(from, from + BATCH);
      await counts.ask(some.flatMap((each) => this.#textsOf(each)));
      for (const each of some) this.#try(each, counts);
      if (this.#misses >= MOST_MISSES || this.#left <= 0) {
        this.#misses++;
        return;
      }
    }
  }

  /** The beginning of the first block that does not fit and may be cut, if it leaves much room. */
  async takePart(candidates: readonly Candidate[], counts: Counts): Promise<void> {
    if (this.isComplete || this.#left < this.room * PART_SHARE) return;
    const blockOf = ({ structure, index }: Candidate) => this.structures[structure]?.blocks[index];
    const candidate = candidates.find(
      (each) =>
        blockOf(each)?.cuttable && each.text === undefined && !this.#chosen[each.structure]?.has(each.index),
    );
    if (candidate === undefined) return;
    const { text = '' } = blockOf(candidate) ?? {};
    const others = this.#textsOf({ ...candidate, text: '' });
    await counts.ask(others);
    const ends = counts.endsIn(text);
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const part = beginning(text, ends, middle);
      await counts.ask([part]);
      if (this.#tokensOf({ ...candidate, text: part }, counts) <= this.#left) low = middle;
      else high = middle - 1;
    }
    if (low > 0) this.#try({ ...candidate, text: beginning(text, ends, low) }, counts);
  }

  kept(): KeptBlock[][] {
    return this.#chosen.map((chosen) => [...chosen.values()].sort((a, b) => a.index - b.index));
  }

  /** The parts that show a block, with all that they need. */
  #partsOf({ structure, index }: Candidate): Set<number> {
    const { parts, partsOf } = this.structures[structure] as Structure;
    const needed = new Set<number>();
    const open = [...(partsOf[index] as readonly number[])];
    for (let part = open.pop(); part !== undefined; part = open.pop()) {
      if (needed.has(part) || this.#shown[structure]?.has(part)) continue;
      needed.add(part);
      open.push(...(parts[part]?.needs ?? []));
    }
    return needed;
  }

  /** The texts whose tokens decide. */
  #textsOf(candidate: Candidate): string[] {
    const { structure, index, text, isFolded } = candidate;
    const { parts, blocks } = this.structures[structure] as Structure;
    const own = [
      text ?? [],
      blocks[index]?.folded?.text ?? [],
      this.#chosen[structure]?.get(index)?.text ?? [],
    ];
    return isFolded
      ? own.flat()
      : [...own.flat(), ...[...this.#partsOf(candidate)].map((part) => parts[part]?.text ?? '')];
  }

  #try(candidate: Candidate, counts: Counts): void {
    const { structure, index, text, isFolded } = candidate;
    const { partsOf, blocks } = this.structures[structure] as Structure;
    const shown = this.#shown[structure] as Set<number>;
    const chosen = this.#chosen[structure] as Map<number, KeptBlock>;
    const own = partsOf[index] as readonly number[];
    const before = chosen.get(index);
    const isShown = own.every((part) => shown.has(part));
    if (isShown && before?.text === undefined) return;
    const folded = blocks[index]?.folded?.text ?? '';
    if (isFolded) {
      if (before === undefined) this.#spend(counts.of(folded), () => chosen.set(index, { index, isFolded }));
      return;
    }
    const needed = this.#partsOf(candidate);
    this.#spend(this.#tokensOf(candidate, counts), () => {
      for (const part of needed) shown.add(part);
      chosen.set(index, text === undefined ? { index } : { index, text });
    });
  }

  /** The tokens that a block adds, whole or cut, in the place of its shorter text if that is shown. */
  #tokensOf(candidate: Candidate, counts: Counts): number {
    const { structure, index, text } = candidate;
    const { parts, partsOf, blocks } = this.structures[structure] as Structure;
    const own = partsOf[index] as readonly number[];
    const before = this.#chosen[structure]?.get(index);
    const folded = blocks[index]?.folded?.text ?? '';
    const needed = this.#partsOf(candidate);
    let tokens = 0;
    for (const part of needed)
      if (text === undefined || !own.includes(part)) tokens += counts.of(parts[part]?.text ?? '');
    if (text !== undefined) tokens += counts.of(text);
    if (before?.isFolded) tokens -= counts.of(folded);
    if (before?.text !== undefined) {
      for (const part of own) tokens += counts.of(parts[part]?.text ?? '');
      tokens -= counts.of(before.text);
    }
    return tokens;
  }

  #spend(tokens: number, take: () => void): void {
    if (tokens > this.#left) {
      this.#misses++;
      return;
    }
    this.#left -= tokens;
    take();
  }
}

/** A text in one sentence is cut behind its words if it is longer, in characters. */
const LONG_SENTENCE = 400;

/** The offsets at which a text may be cut: behind its sentences and lines, or behind the words of a long sentence. */
function endsIn(text: string): number[] {
  const ends = unitsOf(text).map(({ end }) => end);
  if (ends.length > 1 || text.length <= LONG_SENTENCE) return ends;
  return Array.from(text.matchAll(/\S{1,40}/g), ({ index, 0: word }) => index + word.length);
}

const beginning = (text: string, ends: readonly number[], count: number): string =>
  `${text.slice(0, ends[count - 1]).trimEnd()} …`;

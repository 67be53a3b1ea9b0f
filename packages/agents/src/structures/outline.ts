/** How every structure is held: the result in pieces, and which pieces need which others. */
import { type Cell, raritiesOf } from './rarity.js';
import type { Block, Folded, KeptBlock, Rebuilt, Structure, StructureKind, StructurePart } from './types.js';

/** The piece is an element of a list: separators depend on whether it is the first that is shown. */
export interface Lead {
  list: number;
  /** The text before it if it is the first. */
  first: string;
  /** The text before it otherwise, with the separator. */
  other: string;
}

/** The place of a text in the result. */
export interface Place {
  /** The group that the text needs. */
  readonly within: number;
  /** The title of the record that the text is from. */
  readonly title?: string | undefined;
  /** Writes a stretch of the text. Default: as it is. */
  readonly write?: ((start: number, end: number) => string) | undefined;
  /** Writes another text in its place. Default: as it is. */
  readonly encode?: ((text: string) => string) | undefined;
}

/** Adds a text to an outline. */
export type AddText = (outline: Outline, text: string, place: Place) => void;

/** How a stretch of a text stands in it. */
interface Layout {
  /** The group that shows the text. */
  readonly within: number;
  /** The white space behind the stretch. If neighbours go, the longest white space between the others stays. */
  readonly after: string;
  /** Marks the gap that the stretch leaves. Empty: no mark. */
  readonly mark: string;
}

/** A stretch of the result. All pieces with their leads are the result, in order. */
interface Piece {
  readonly group: number;
  readonly text: string;
  readonly lead?: Lead | undefined;
  /** For a stretch of a text. */
  readonly layout?: Layout | undefined;
  /** Writes the cut text of its block. Default: as it is. */
  readonly write?: ((cut: string) => string) | undefined;
}

/** The scores of blocks for a question, 0..1, in their order. */
type Rank = (question: string) => readonly number[];

/** Group 0 is always shown. */
export const ROOT = 0;

/** The titles above a block, outermost first, as one. Undefined if there is none. */
export const joinedTitles = (...titles: readonly (string | undefined)[]): string | undefined =>
  titles.filter(Boolean).join(' › ') || undefined;

/** Collects pieces, groups of pieces that are shown together, and blocks: the groups that can be left out. */
export class Outline {
  readonly #pieces: Piece[] = [];
  /** The earlier groups that each group needs. */
  readonly #needs: (readonly number[])[] = [[]];
  readonly blocks: Block[] = [];
  readonly #blockOf = new Map<number, number>();
  readonly #ranks: { first: number; count: number; rank: Rank }[] = [];
  /** A phrase for each thing that the shown texts lack. */
  readonly removed: string[] = [];
  lists = 0;

  /** A group that is shown if a group that needs it is shown. */
  group(needs: readonly number[]): number {
    this.#needs.push(needs);
    return this.#needs.length - 1;
  }

  /** Makes the group a block. */
  block(group: number, block: Block): number {
    this.#blockOf.set(group, this.blocks.length);
    return this.blocks.push(block) - 1;
  }

  /** Finds the blocks that stand out. Each has its cells. */
  standOut(blocks: readonly number[], cells: readonly (readonly Cell[])[]): void {
    for (const [at, rarity] of raritiesOf(cells).entries()) {
      const place = blocks[at] as number;
      const block = this.blocks[place];
      if (rarity > 0 && block !== undefined) this.blocks[place] = { ...block, rarity };
    }
  }

  /** From this block on, all blocks answer questions as this function says. */
  rank(first: number, rank: Rank): void {
    this.#ranks.push({ first, count: this.blocks.length - first, rank });
  }

  piece(group: number, text: string, more: Omit<Piece, 'group' | 'text'> = {}): void {
    if (text !== '' || more.lead !== undefined || more.layout !== undefined)
      this.#pieces.push({ group, text, ...more });
  }

  structure(kind: StructureKind): Structure {
    const { blocks, removed } = this;
    const partsOf = blocks.map((): number[] => []);
    for (const [group, block] of this.#blockOf) partsOf[block]?.push(group);
    const relevance = (question: string) => {
      const scores: (number | undefined)[] = [];
      for (const { first, count, rank } of this.#ranks)
        for (const [at, score] of rank(question).slice(0, count).entries()) scores[first + at] = score;
      return scores;
    };
    return {
      ...{ kind, blocks, parts: this.#parts(), partsOf, rebuild: (kept) => this.#rebuild(kept) },
      ...(this.#ranks.length > 0 ? { relevance } : {}),
      ...(removed.length > 0 ? { removed } : {}),
    };
  }

  #parts(): StructurePart[] {
    const texts = this.#needs.map((): string[] => []);
    for (const { group, text, lead, layout } of this.#pieces)
      texts[group]?.push(lead?.other ?? '', text, layout?.after ?? '');
    return this.#needs.map((needs, group) => ({ text: (texts[group] as string[]).join(''), needs }));
  }

  #shown(kept: readonly KeptBlock[]): boolean[] {
    const blocks = new Set(kept.flatMap(({ index, isFolded }) => (isFolded ? [] : [index])));
    const shown = this.#needs.map((_, group) => {
      const block = this.#blockOf.get(group);
      return group === ROOT || (block !== undefined && blocks.has(block));
    });
    const folded = new Set(kept.flatMap(({ index, isFolded }) => (isFolded ? [index] : [])));
    // A shorter text stands in what holds its block.
    for (const [group, block] of this.#blockOf)
      if (folded.has(block)) shown[this.#needs[group]?.[0] ?? ROOT] = true;
    for (let group = shown.length - 1; group > 0; group--)
      if (shown[group]) for (const need of this.#needs[group] as readonly number[]) shown[need] = true;
    return shown;
  }

  #rebuild(kept: readonly KeptBlock[]): Rebuilt {
    const shown = this.#shown(kept);
    const cuts = new Map(
      kept.flatMap(({ index, text }): [number, string][] => (text === undefined ? [] : [[index, text]])),
    );
    const folds = new Map(
      kept.flatMap(({ index, isFolded }): [number, Folded][] => {
        const folded = isFolded ? this.blocks[index]?.folded : undefined;
        return folded === undefined ? [] : [[index, folded]];
      }),
    );
    const cut = [...cuts.keys()].sort((a, b) => a - b);
    const begun = new Set<number>();
    const parts: string[] = [];
    let isInside = false;
    let space = '';
    let mark = '';
    let isEmpty = true;
    /** @param continues whether the text goes on behind the gap. */
    const flush = (continues: boolean) => {
      parts.push(mark === '' || isInside ? space : '', mark, mark !== '' && continues ? space : '');
      space = '';
      mark = '';
    };
    for (const { group, text, lead, layout, write } of this.#pieces) {
      if (!shown[group]) {
        if (layout === undefined || !shown[layout.within]) continue;
        const block = this.#blockOf.get(group) ?? -1;
        const folded = folds.get(block);
        folds.delete(block);
        if (folded !== undefined) {
          flush(true);
          parts.push(folded.text);
          isEmpty = false;
          space = layout.after;
          isInside = true;
          continue;
        }
        if (layout.after.length > space.length) space = layout.after;
        if (layout.mark !== '') mark = layout.mark;
        continue;
      }
      flush(layout !== undefined);
      isEmpty = false;
      if (lead !== undefined) {
        parts.push(begun.has(lead.list) ? lead.other : lead.first);
        begun.add(lead.list);
      }
      const block = this.#blockOf.get(group) ?? -1;
      const short = cuts.get(block);
      parts.push(short === undefined ? text : (write?.(short) ?? short));
      // Only its first piece is cut: the last one may be a closing bracket.
      cuts.delete(block);
      space = layout?.after ?? '';
      isInside = layout !== undefined;
    }
    flush(false);
    const isShown = this.blocks.map(() => false);
    for (const [group, block] of this.#blockOf) isShown[block] ||= shown[group] === true;
    return {
      // A mark of a gap alone says no more than the note.
      text: isEmpty ? '' : parts.join(''),
      missing: {
        leftOut: [...isShown.keys()].filter((block) => !isShown[block]),
        cut,
      },
    };
  }
}

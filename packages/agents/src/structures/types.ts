/** The structure of a tool's result: blocks that can be left out one by one, and the text that holds them. */

/** `data`: JSON or JSON Lines. Every rebuilt text parses: a note belongs beside it, not into it. */
export type StructureKind = 'data' | 'text';

/** A result that can shrink without breaking. */
export interface Structure {
  readonly kind: StructureKind;
  /** In the order of the result. Empty: nothing can be left out. */
  readonly blocks: readonly Block[];
  /** All parts of the result. A block has the tokens of its own parts and of those that they need. */
  readonly parts: readonly StructurePart[];
  /** The parts of each block, by its index. */
  readonly partsOf: readonly (readonly number[])[];
  /**
   * How much blocks answer a question, 0..1, for a kind that knows better than a shaper. The shaper's relevance counts for a
   * block that has none.
   */
  readonly relevance?: ((question: string) => readonly (number | undefined)[]) | undefined;
  /** A phrase for each thing that no rebuilt text has: `without the time stamps of 1,204 lines`. Absent: nothing. */
  readonly removed?: readonly string[] | undefined;
  /**
   * The result with only these blocks and the parts that they need: headers of tables, headings, the objects that hold them. All
   * blocks give the text of the input, byte by byte, without the `removed` things; none give the frame that always stays.
   * Any subset is valid.
   *
   * @param kept Each block once, in any order.
   */
  readonly rebuild: (kept: readonly KeptBlock[]) => Rebuilt;
}

/** A stretch of a result. Part 0 always stays. */
export interface StructurePart {
  readonly text: string;
  /** The earlier parts that stay with it. The first one holds it. */
  readonly needs: readonly number[];
}

/** An element, a row, a paragraph, lines. */
export interface Block {
  /** Readable on its own, for relevance and for recall: a row has the names of its columns. */
  readonly text: string;
  /** As the result shows it, before it is written into a value. The same as `text` if `cuttable`. */
  readonly shown: string;
  /** Whether a shaper may cut it at ends of sentences. */
  readonly cuttable: boolean;
  /** Whether it may be cut behind its lines and words if nothing whole fits. Data may not. */
  readonly isText?: boolean | undefined;
  /** The headings above it, or the title of its record. */
  readonly title?: string | undefined;
  /** Number of the list, table or text that it is from. */
  readonly list: number;
  /** How much it is needed, 0..1, by its kind. Default 0. Equals stay in the order of the result. */
  readonly priority?: number | undefined;
  /** How much it stands out among its neighbours, 0..1. If something is asked, only errors count. Default 0. */
  readonly rarity?: number | undefined;
  /** Its first and last line in the given text, from 1. Absent: the text is not read by its lines, or is a part of another one. */
  readonly lines?: readonly [first: number, last: number] | undefined;
  /** Its name in a note if it goes: `passing tests`. Blocks with one label are counted together. */
  readonly label?: string | undefined;
  /** A shorter text that can stand in its place, with its own priority. */
  readonly folded?: Folded | undefined;
}

export interface Folded {
  readonly text: string;
  readonly priority: number;
}

/** A block that stays. */
export interface KeptBlock {
  /** Index in `blocks`. */
  readonly index: number;
  /** The cut text of a `cuttable` block. Absent: whole. */
  readonly text?: string | undefined;
  /** Its folded text is shown. */
  readonly isFolded?: boolean | undefined;
}

export interface Rebuilt {
  readonly text: string;
  readonly missing: Missing;
}

/** The parts that a rebuilt result does not show. */
export interface Missing {
  /** Indices of the blocks that are not shown, ascending. */
  readonly leftOut: readonly number[];
  /** Indices of the blocks that are shown in part, ascending. */
  readonly cut: readonly number[];
}

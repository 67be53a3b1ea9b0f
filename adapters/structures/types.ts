/** The structure of a tool's result: blocks that can be left out one by one, and the text that holds them. */

export type StructureKind = 'json' | 'json-lines' | 'text';

/** A result that can shrink without breaking. */
export interface Structure<R extends Rebuilt = Rebuilt> {
  /** `json` and `json-lines`: every rebuilt text parses. A note belongs beside it, not into it. */
  readonly kind: StructureKind;
  /** In the order of the result. Empty: nothing can be left out. */
  readonly blocks: readonly Block[];
  /** Columns with few distinct values, in the order of the result. */
  readonly facets: readonly Facet[];
  /**
   * The result with only these blocks and the parts that they need: headers of tables, headings, the objects that hold them. All
   * blocks give the text of the input, byte by byte; none give the frame that always stays. Any subset is valid.
   *
   * @param kept Each block once, in any order.
   */
  readonly rebuild: (kept: readonly KeptBlock[]) => R;
  /** The same text as lines and paragraphs, for data of which too little can be left out. Absent for a JSON value. */
  readonly plain?: (() => Structure<R>) | undefined;
}

/** An element, a row, a paragraph. */
export interface Block {
  /** Readable on its own, for relevance and for recall: a row has the names of its columns. */
  readonly text: string;
  /** As the result shows it. The same as `text` if the block may be cut at ends of sentences. */
  readonly shown: string;
  readonly cuttable: boolean;
  /** The headings above it, or the title of its record. */
  readonly title?: string | undefined;
  /** Number of the list, table or text that it is from. */
  readonly list: number;
}

/** A block that stays. */
export interface KeptBlock {
  /** Index in `blocks`. */
  readonly index: number;
  /** The cut text of a `cuttable` block. Absent: whole. */
  readonly text?: string | undefined;
}

/** A column of a table, or a field of records, with few distinct values. */
export interface Facet {
  readonly column: string;
  /** The values in the order of the result, each with the indices of the blocks that have it, ascending. */
  readonly values: readonly { readonly value: string; readonly blocks: readonly number[] }[];
}

export interface Rebuilt {
  readonly text: string;
  readonly missing: Missing;
}

/** The parts that a rebuilt result does not show. */
export interface Missing {
  /** Number of all blocks. */
  readonly total: number;
  /** Indices of the blocks that are not shown, ascending. */
  readonly leftOut: readonly number[];
  /** Indices of the blocks that are shown in part, ascending. */
  readonly cut: readonly number[];
  /** Columns of which values are not shown. */
  readonly facets: readonly {
    readonly column: string;
    readonly total: number;
    readonly values: readonly string[];
  }[];
}

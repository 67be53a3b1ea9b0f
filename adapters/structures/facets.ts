/** Columns with few distinct values. */
import type { Outline } from './outline.js';
import type { Facet } from './types.js';

/** Most distinct values of such a column. */
const MOST_VALUES = 12;
/** Least rows for each distinct value, on average. */
const ROWS_PER_VALUE = 5;
/** A longer cell is a text. */
const LONGEST_VALUE = 60;

/** A row and the block that shows it. */
interface Row {
  readonly block: number;
  readonly cells: readonly string[];
}

export function addFacets(outline: Outline, columns: readonly string[], rows: readonly Row[]): void {
  for (const [at, column] of columns.entries()) {
    const values = valuesOf(rows, at);
    if (values !== undefined)
      outline.facets.push({
        column: column === '' ? `column ${at + 1}` : column,
        values: [...values].map(([value, blocks]) => ({ value, blocks })),
      });
  }
}

/** Undefined if the column has many values, or one. */
function valuesOf(rows: readonly Row[], column: number): Map<string, number[]> | undefined {
  const values = new Map<string, number[]>();
  let filled = 0;
  for (const { block, cells } of rows) {
    const value = cells[column] ?? '';
    if (value === '') continue;
    if (value.length > LONGEST_VALUE) return undefined;
    filled++;
    const blocks = values.get(value);
    if (blocks !== undefined) blocks.push(block);
    else if (values.size === MOST_VALUES) return undefined;
    else values.set(value, [block]);
  }
  return values.size > 1 && filled >= ROWS_PER_VALUE * values.size ? values : undefined;
}

/** The state of the blocks after some of them were chosen. */
interface Choice {
  isShown(block: number): boolean;
  mayStay(block: number): boolean;
  relevanceOf(block: number): number;
  tokensOf(block: number): number;
  /** Most tokens of the blocks that are added. */
  room: number;
}

/**
 * The blocks to show as well, so that each value is shown: for each value without a block the most relevant one, of equals
 * the first, as far as there is room. A block may have several of the values.
 */
export function blocksForFacets(
  facets: readonly Facet[],
  { isShown, mayStay, relevanceOf, tokensOf, room }: Choice,
): number[] {
  const added = new Set<number>();
  let left = room;
  for (const { values } of facets)
    for (const { blocks } of values) {
      if (blocks.some((block) => isShown(block) || added.has(block))) continue;
      let best: number | undefined;
      for (const block of blocks)
        if (mayStay(block) && (best === undefined || relevanceOf(block) > relevanceOf(best))) best = block;
      if (best === undefined || tokensOf(best) > left) continue;
      left -= tokensOf(best);
      added.add(best);
    }
  return [...added];
}

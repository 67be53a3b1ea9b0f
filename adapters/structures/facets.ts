/** Columns with few distinct values. */
import type { Outline } from './outline.js';
import type { Facet } from './types.js';

/** Most distinct values of such a column. */
const MOST_VALUES = 12;
/** Least rows for each distinct value, on average. */
const ROWS_PER_VALUE = 5;
/** A longer cell is a text. */
const LONGEST_VALUE = 60;

/** A row and the block that shows it. Its cells are a list, or a map by column: rows of many columns may have few cells. */
interface Row {
  readonly block: number;
  readonly cells: { entries(): Iterable<[column: number, value: string | undefined]> };
}

export function addFacets(outline: Outline, columns: readonly string[], rows: readonly Row[]): void {
  /** By column: the blocks of each value. Undefined if the column has many values, or a text. */
  const found: (Map<string, number[]> | undefined)[] = columns.map(() => new Map());
  for (const { block, cells } of rows)
    for (const [column, value = ''] of cells.entries()) {
      const values = found[column];
      if (values === undefined || value === '') continue;
      const blocks = values.get(value);
      if (blocks !== undefined) blocks.push(block);
      else if (value.length > LONGEST_VALUE || values.size === MOST_VALUES) found[column] = undefined;
      else values.set(value, [block]);
    }
  for (const [at, column] of columns.entries()) {
    const values = [...(found[at] ?? [])].map(([value, blocks]) => ({ value, blocks }));
    const filled = values.reduce((sum, { blocks }) => sum + blocks.length, 0);
    if (values.length > 1 && filled >= ROWS_PER_VALUE * values.length)
      outline.facets.push({ column: column === '' ? `column ${at + 1}` : column, values });
  }
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

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addFacets } from '../../../adapters/structures/facets.js';
import { Outline } from '../../../adapters/structures/outline.js';

/** The values of each column, read column by column. */
function naive(columns: readonly string[], rows: readonly (readonly string[])[]) {
  return columns.flatMap((column, at) => {
    const filled = rows.flatMap((cells, block) => (cells[at] ? [{ block, value: cells[at] as string }] : []));
    const values = [...new Set(filled.map(({ value }) => value))];
    const isFacet =
      values.length > 1 &&
      values.length <= 12 &&
      values.every((value) => value.length <= 60) &&
      filled.length >= 5 * values.length;
    const blocksOf = (value: string) => filled.flatMap((each) => (each.value === value ? [each.block] : []));
    return isFacet ? [{ column, values: values.map((value) => ({ value, blocks: blocksOf(value) })) }] : [];
  });
}

test('columns with few values, of lists of cells and of maps, as if each column was read by itself', () => {
  const cell = fc.constantFrom('', '', 'a', 'b', 'c', 'x'.repeat(61));
  const many = fc.integer({ min: 0, max: 40 }).map(String);
  const row = fc
    .tuple(cell, fc.constantFrom('a', 'b'), many, fc.constantFrom('', 'no', 'yes'))
    .map((all) => [...all]);
  let facets = 0;
  fc.assert(
    fc.property(fc.array(row, { maxLength: 80, size: 'max' }), (rows) => {
      const columns = ['one', 'two', 'three', 'four'];
      const expected = naive(columns, rows);
      facets += expected.length;
      const maps = rows.map((cells) => new Map([...cells.entries()].filter(([, value]) => value !== '')));
      for (const given of [rows, maps]) {
        const outline = new Outline();
        addFacets(
          outline,
          columns,
          given.map((cells, block) => ({ block, cells })),
        );
        expect(outline.facets).toEqual(expected);
      }
    }),
    { numRuns: 300, seed: 1 },
  );
  expect(facets).toBeGreaterThan(100);
});

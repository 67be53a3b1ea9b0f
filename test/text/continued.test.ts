import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { continuedTables } from '../../src/text/units/continued.js';
import { unitsOf } from '../../src/text/units/units.js';

const placed = (text: string, position?: number, document: string | undefined = 'd') => ({
  text,
  units: unitsOf(text),
  document,
  position,
});
/** The texts of the headers and rows that are found, by chunk. */
const found = (chunks: ReturnType<typeof placed>[]) =>
  continuedTables(chunks).map(({ chunk, rows, headerChunk, header }) => {
    const textOf = (at: number, place: number) =>
      chunks[at]!.text.slice(chunks[at]!.units[place]!.start, chunks[at]!.units[place]!.end);
    return [header.map((place) => textOf(headerChunk, place)), rows.map((place) => textOf(chunk, place))];
  });

const HEADER = '| car | toll |\n|---|---|';

describe('rows whose header is in the chunk before', () => {
  test('of a pipe table, in any order of the chunks', () => {
    const chunks = [
      placed('| bus | 2 |\n| tram | 3 |\n\nText.', 8),
      placed(`Tolls:\n\n${HEADER}\n| cab | 1 |`, 7),
    ];
    const expected = [[[HEADER], ['| bus | 2 |', '| tram | 3 |']]];
    expect(found(chunks)).toEqual(expected);
    expect(found(chunks.toReversed())).toEqual(expected);
  });

  test('of a table that ends with its header, or goes on over three chunks', () => {
    expect(
      found([placed(HEADER, 1), placed('| bus | 2 |', 2), placed('| tram | 3 |\n| cab | 4 |', 3)]),
    ).toEqual([
      [[HEADER], ['| bus | 2 |']],
      [[HEADER], ['| tram | 3 |', '| cab | 4 |']],
    ]);
  });

  test('of comma-separated values: no record is a header', () => {
    expect(
      found([
        placed('name,age,town\nAnn,3,Rome\nBob,4,Oslo', 1),
        placed('Cy,5,Bonn\nDi,6,Bern\nEd,7,Kiel', 2),
      ]),
    ).toEqual([[['name,age,town'], ['Cy,5,Bonn', 'Di,6,Bern', 'Ed,7,Kiel']]]);
  });

  test('the title of the section goes with the header', () => {
    const head = '| car | toll | tax |\n|---|---|---|';
    const above = `${head}\n| By night | | |\n| cab | 1 | 2 |`;
    expect(found([placed(above, 1), placed('| bus | 2 | 3 |', 2)])[0]?.[0]).toEqual([
      head,
      '| By night | | |',
    ]);
  });

  test.each([
    ['another number of columns', [placed(`${HEADER}\n| cab | 1 |`, 1), placed('| bus | 2 | 3 |', 2)]],
    ['a header of its own', [placed(`${HEADER}\n| cab | 1 |`, 1), placed(`${HEADER}\n| bus | 2 |`, 2)]],
    ['the same header, repeated', [placed('a,b,c\n1,2,3\n4,5,6', 1), placed('a,b,c\n7,8,9\n1,2,4', 2)]],
    ['another document', [placed(`${HEADER}\n| cab | 1 |`, 1), placed('| bus | 2 |', 2, 'e')]],
    ['no neighbour', [placed(`${HEADER}\n| cab | 1 |`, 1), placed('| bus | 2 |', 3)]],
    ['no position', [placed(`${HEADER}\n| cab | 1 |`), placed('| bus | 2 |')]],
    ['text between', [placed(`${HEADER}\n| cab | 1 |\n\nText.`, 1), placed('| bus | 2 |', 2)]],
    ['text before the rows', [placed(`${HEADER}\n| cab | 1 |`, 1), placed('Text.\n\n| bus | 2 |', 2)]],
    ['a position taken twice', [placed(HEADER, 1), placed(HEADER, 1), placed('| bus | 2 |', 2)]],
    [
      'JSON Lines',
      [placed('{"a":1,"b":2}\n{"a":3,"b":4}\n{"a":1,"b":1}', 1), placed('{"a":5,"b":6}\n{"a":7,"b":8}', 2)],
    ],
    ['no header anywhere', [placed('| cab | 1 |', 1), placed('| bus | 2 |', 2)]],
    ['nothing', []],
  ])('%s: none', (_, chunks) => {
    expect(continuedTables(chunks)).toEqual([]);
  });

  test('wherever a table is cut between rows, all rows below are found with its header', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'b', '1', '2'), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 2, maxLength: 8 }), fc.nat(), (cells, at) => {
        const rows = cells.map(([one, other]) => `| ${one} | ${other} |`);
        const cut = 1 + (at % (rows.length - 1));
        const chunks = [
          placed([HEADER, ...rows.slice(0, cut)].join('\n'), 0),
          placed(rows.slice(cut).join('\n'), 1),
        ];
        // A row without a value may look like a header of the rest.
        fc.pre(chunks[1]!.units.every(({ needs }) => needs.length === 0));
        expect(found(chunks)[0]?.[1]).toEqual(rows.slice(cut));
        expect(found(chunks)[0]?.[0]?.[0]).toBe(HEADER);
      }),
    );
  });
});

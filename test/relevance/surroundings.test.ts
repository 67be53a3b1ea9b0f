import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Given, valuesOf } from './features.js';
import * as naive from './naive.js';

const turn = (speaker: string, text: string, position: number, source = 'talk'): Given => [
  text,
  { speaker, position, source },
];

describe('neighbours', () => {
  test('against the definition', async () => {
    const said = fc.record({
      text: fc.constantFrom('red', 'red?', 'else', 'else?'),
      source: fc.constantFrom('s', 's', 't', undefined),
      position: fc.constantFrom(undefined, 0, 1, 2, 3, 5, 8),
      speaker: fc.constantFrom('ann', 'bob'),
    });
    let matches = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(said, { maxLength: 9 }), async (drawn) => {
        // One passage at each place.
        const pool = drawn.filter(
          ({ source, position }, at) =>
            !drawn.slice(0, at).some((other) => other.source === source && other.position === position),
        );
        const values = await valuesOf('neighbours', 'red', [
          ...pool.map(({ text, ...metadata }): Given => [text, metadata]),
          // Two speakers in one source make it a talk.
          turn('ann', 'else', 0, 'other'),
          turn('bob', 'else', 20, 'other'),
        ]);
        const expected = naive.shares(
          naive.neighbours(
            pool.map(({ text, ...rest }) => ({
              ...rest,
              relevance: Number(text.startsWith('red')),
              isQuestion: text.includes('?'),
            })),
          ),
        );
        if (expected.every((value) => value === 0)) expect(new Set(values)).toEqual(new Set([undefined]));
        else {
          expect(values).toEqual([...expected, 0, 0].map((value) => expect.closeTo(value, 10)));
          matches++;
        }
      }),
      { numRuns: 150, seed: 1 },
    );
    expect(matches).toBeGreaterThan(50);
  });

  test.each<[string, Given[]]>([
    ['sources', ['red dax', 'else']],
    [
      'places',
      [
        ['red dax', { source: 's' }],
        ['else', { source: 's' }],
      ],
    ],
    [
      'neighbours',
      [
        ['red dax', { source: 's', position: 0 }],
        ['else', { source: 's', position: 5 }],
        ['else', { source: 't', position: 1 }],
      ],
    ],
  ])('tells nothing where there are no %s', async (_, pool) => {
    expect(new Set(await valuesOf('neighbours', 'red dax', pool))).toEqual(new Set([undefined]));
  });
});

describe('source', () => {
  test('all of a source are worth what its texts are worth together', async () => {
    const values = await valuesOf('source', 'red dax', [
      ['a red one', { source: 's' }],
      ['one dax now', { source: 's' }],
      ['nothing here', { source: 's' }],
      ['red red red', { source: 't' }],
      ['a red dax', {}],
      ['nothing here', { source: 'u' }],
    ]);
    expect(values.slice(0, 3)).toEqual([1, 1, 1]);
    expect(values[3]).toBeGreaterThan(0);
    expect(values[3]).toBeLessThan(1);
    expect(values.slice(4)).toEqual([0, 0]);
  });

  test.each<[string, Given[]]>([
    ['there is only one', [['red dax', { source: 's' }], ['else', { source: 's' }], 'dax']],
    [
      'each has only one text',
      [
        ['red dax', { source: 's' }],
        ['else', { source: 't' }],
      ],
    ],
    ['there is none', ['red dax', 'else']],
  ])('tells nothing where %s', async (_, pool) => {
    expect(new Set(await valuesOf('source', 'red dax', pool))).toEqual(new Set([undefined]));
  });
});

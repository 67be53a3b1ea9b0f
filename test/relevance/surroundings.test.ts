import { describe, expect, test } from 'vitest';
import { type Given, valuesOf } from './features.js';

const turn = (speaker: string, text: string, position: number, source = 'talk'): Given => [
  text,
  { speaker, position, source },
];

describe('neighbours', () => {
  test('the better of the two beside it, at seven tenths', async () => {
    const values = await valuesOf('neighbours', 'red dax', [
      ['nothing here', { source: 's', position: 0 }],
      ['red dax here', { source: 's', position: 1 }],
      ['nothing there', { source: 's', position: 2 }],
      ['nothing more', { source: 's', position: 3 }],
      ['nothing else', { source: 't', position: 2 }],
      ['nothing new', { source: 's' }],
      ['nothing old', { position: 2 }],
    ]);
    expect(values).toEqual([1, 0, 1, 0, 0, 0, 0]);
  });

  test('the less of two neighbours does not add to the better', async () => {
    const pool = (beside: string): Given[] => [
      ['red dax', { source: 's', position: 0 }],
      ['nothing here', { source: 's', position: 1 }],
      [beside, { source: 's', position: 2 }],
      ['red dax', { source: 't', position: 0 }],
      ['nothing here', { source: 't', position: 1 }],
    ];
    expect((await valuesOf('neighbours', 'red dax', pool('dax of'))).filter((_, at) => at % 3 === 1)).toEqual(
      [1, 1],
    );
  });

  test.each([
    ['who answers another’s question', ['ann', 'Red dax?', 'bob'], 1],
    ['who goes on after another', ['ann', 'Red dax.', 'bob'], 0.7],
    ['who asks and goes on', ['ann', 'Red dax?', 'ann'], 0.7],
  ] as const)('%s', async (_, [first, text, second], share) => {
    const values = await valuesOf('neighbours', 'red dax', [
      turn(first, text, 0),
      turn(second, 'Well, yes.', 1),
      turn('carl', 'Red dax?', 0, 'other'),
      turn('dora', 'Well, no.', 1, 'other'),
    ]);
    expect(values[3]).toBe(1);
    expect(values[1]).toBeCloseTo(share, 12);
  });

  test('a question does not count in full for what stands before it', async () => {
    const values = await valuesOf('neighbours', 'red dax', [
      turn('bob', 'Well, yes.', 0),
      turn('ann', 'Red dax?', 1),
      turn('bob', 'Well, no.', 2),
    ]);
    expect(values).toEqual([expect.closeTo(0.7, 12), 0, 1]);
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

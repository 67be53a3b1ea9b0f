import { createShaper } from 'context-shaping';
import { describe, expect, test } from 'vitest';
import { weightsOf } from '../support.js';
import { type Given, valuesOf } from './features.js';
import { bm25, inverseFrequency, shares } from './naive.js';

const QUESTION = 'Where was the director of Silver Lake born?';
const FILM = 'Silver Lake is a film that Odo Krant made.';
/** Names that have no parts in common. */
const name = (at: number) => `z${String.fromCharCode(97 + (at % 26)).repeat(1 + Math.floor(at / 26))}q`;
const NOISE = [
  'Cats sleep all day.',
  'Dogs bark at night.',
  'Rain fell on the town.',
  'Bread is made of flour.',
];

describe('titleBridge', () => {
  test('the second hop is found: what a relevant text names', async () => {
    const values = await valuesOf('titleBridge', QUESTION, [
      FILM,
      ['He grew up in Ulm.', { title: 'Odo Krant' }],
      ['He grew up in Bern.', { title: 'Odo Brant' }],
      ['He grew up in Rome.', { title: 'Krant Odo' }],
      ['# Odo Krant\nHe grew up in Ulm.', { source: 'heading' }],
      ['He grew up in Graz.', { title: 'Odo Krant (painter)' }],
      ['All begins here.', { title: 'Odo Krant II' }],
      ...NOISE,
    ]);
    expect(values).toEqual([0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0]);
  });

  test('not from one text to another of the same source, nor to itself', async () => {
    const about = (source: string): Given => ['It is by a lake.', { title: 'Ulm Town', source }];
    const pool = (source: string) => [
      ['Silver Lake, Ulm Town.', { title: 'Silver Lake', source: 'film' }] as const,
      about(source),
      ...NOISE,
    ];
    expect((await valuesOf('titleBridge', QUESTION, pool('town')))[1]).toBe(1);
    expect(new Set(await valuesOf('titleBridge', QUESTION, pool('film')))).toEqual(new Set([undefined]));
  });

  test('from a more relevant text flows more', async () => {
    const values = (await valuesOf('titleBridge', 'silver lake', [
      'Silver Lake is by Odo Krant.',
      'A lake is by Udo Brant.',
      ['He is here.', { title: 'Odo Krant' }],
      ['He is here.', { title: 'Udo Brant' }],
      ['He is here.', { title: 'Ado Grant' }],
    ])) as number[];
    expect(values[2]).toBe(1);
    expect(values[3]).toBeGreaterThan(0);
    expect(values[3]).toBeLessThan(1);
    expect(values[4]).toBe(0);
  });

  test('nothing flows to a text that names its own title', async () => {
    const pool: Given[] = [['Silver Lake is a film.', { title: 'Silver Lake' }], ...NOISE];
    expect(new Set(await valuesOf('titleBridge', 'silver lake', pool))).toEqual(new Set([undefined]));
  });

  test('nor from one part of a text to another that has the same title', async () => {
    const title = 'Silver Lake';
    const pool: Given[] = [['Silver Lake is a film.', { title }], ['Odo made it.', { title }], ...NOISE];
    expect(new Set(await valuesOf('titleBridge', 'film', pool))).toEqual(new Set([undefined]));
  });

  test('of several that name it the most relevant counts', async () => {
    const values = (await valuesOf('titleBridge', 'silver lake', [
      'Silver Lake is by Odo Krant.',
      'A lake is by Odo Krant and Udo Brant.',
      ['He is here.', { title: 'Odo Krant' }],
      ['He is here.', { title: 'Udo Brant' }],
    ])) as number[];
    expect(values[2]).toBe(1);
    expect(values[3]).toBeLessThan(1);
  });

  test('nothing flows from an irrelevant passage, or for an empty question', async () => {
    const pool: Given[] = ['Odo Krant was here.', ['He is there.', { title: 'Odo Krant' }]];
    expect(await valuesOf('titleBridge', 'zebra', pool)).toEqual([undefined, undefined]);
    expect(await valuesOf('titleBridge', '', pool)).toEqual([undefined, undefined]);
  });
});

describe('wordBridge', () => {
  test('the second hop is found: what shares rare words with a relevant text', async () => {
    const values = await valuesOf('wordBridge', QUESTION, [
      FILM,
      'Krant grew up in Ulm.',
      'Brant grew up in Bern.',
      ...NOISE.slice(0, 3),
    ]);
    expect(values).toEqual([0, 1, 0, 0, 0, 0]);
  });

  test('damped: r / (r + 3), r the sum of 1 / (df − 1)', async () => {
    const values = await valuesOf('wordBridge', 'silver', [
      'silver odo krant',
      'krant odo here',
      'krant there',
      'else one',
      'else two',
    ]);
    // odo is in two texts, krant in three.
    const [strong, weak] = [1 + 1 / 2, 1 / 2].map((mass) => mass / (mass + 3)) as [number, number];
    expect(values).toEqual([0, 1, expect.closeTo(weak / strong, 12), 0, 0]);
  });

  test('words of the question, and those of more than three texts or a twentieth, do not count', async () => {
    const having = (count: number, size: number) => [
      'silver krant',
      ...Array.from({ length: count - 1 }, (_, at) => `krant ${name(at)}`),
      ...Array.from({ length: size - count }, (_, at) => `x${name(at)} y${name(at)}`),
    ];
    const reached = async (pool: string[]) =>
      (await valuesOf('wordBridge', 'silver', pool)).filter((value) => (value ?? 0) > 0).length;
    expect(await reached(having(3, 20))).toBe(2);
    expect(await reached(having(4, 20))).toBe(0);
    expect(await reached(having(5, 100))).toBe(4);
    expect(await reached(having(6, 100))).toBe(0);
    expect(new Set(await valuesOf('wordBridge', 'silver krant', having(3, 20)))).toEqual(
      new Set([undefined]),
    );
  });

  test('the best of several ways counts, and does not add up', async () => {
    const values = await valuesOf('wordBridge', 'silver', [
      'silver odo',
      'silver krant',
      'odo krant here',
      'silver abel',
      'abel there',
    ]);
    expect(values[2]).toBeCloseTo(values[4] as number, 12);
  });

  test('flows from the ten most relevant alone', async () => {
    const origins = Array.from({ length: 11 }, (_, at) => `${'silver '.repeat(12 - at)}of ${name(at)}`);
    const ends = origins.map((_, at) => `${name(at)} alone`);
    const values = await valuesOf('wordBridge', 'silver', [...origins, ...ends]);
    const found = values.slice(11).map((value) => (value as number) > 0);
    expect(found.filter((value) => value)).toHaveLength(10);
  });
});

describe('feedback', () => {
  test('what the best say beyond the question', async () => {
    const values = await valuesOf('feedback', 'silver', [
      'silver abel',
      'silver abel',
      'abel here',
      'odo here',
      ...NOISE,
    ]);
    expect(values).toEqual([0, 0, 1, 0, 0, 0, 0, 0]);
  });

  test('a word weighs its share of its text, times the relevance of the text and the rarity of the word', async () => {
    const short = 'silver abel';
    const long = 'silver odo else more';
    const texts = [short, long, 'abel', 'odo', 'odo here', ...NOISE];
    const [best, second] = shares(
      bm25(
        ['silver'],
        texts.map((each) => ({ words: each.split(' ') })),
      ),
    ) as number[];
    // Coverage and proximity are the same for both: 1 and 0.7.
    const relevance = ((second as number) + 1.7) / ((best as number) + 1.7);
    const abel = inverseFrequency(2, texts.length) / 2;
    const odo = (inverseFrequency(3, texts.length) * relevance) / 4;
    const values = await valuesOf('feedback', 'silver', texts);
    expect(values.slice(0, 5)).toEqual([
      0,
      0,
      1,
      expect.closeTo(odo / abel, 10),
      expect.closeTo(odo / abel, 10),
    ]);
  });

  test('a word of most texts says nothing', async () => {
    const values = await valuesOf('feedback', 'silver', [
      'silver abel odo',
      'silver abel odo',
      'abel odo',
      'abel one',
      'abel two',
      'three four',
    ]);
    expect(values).toEqual([0, 0, 1, 0, 0, 0]);
  });

  test('the best are two, and one more for every fifty texts, at most five', async () => {
    const heads = Array.from({ length: 8 }, (_, at) => `${'silver '.repeat(9 - at)}${name(at)} x x`);
    const tails = heads.map((_, at) => name(at));
    for (const [size, best] of [
      [20, 2],
      [100, 4],
      [300, 5],
    ] as const) {
      const rest = Array.from({ length: size - 16 }, (_, at) => `else${name(at)}`);
      const values = await valuesOf('feedback', 'silver', [...heads, ...tails, ...rest]);
      expect(values.slice(8, 16).filter((value) => (value as number) > 0)).toHaveLength(best);
    }
  });

  test('twenty words at most', async () => {
    const words = Array.from({ length: 24 }, (_, at) => name(at));
    const best = [`silver ${words.join(' ')}`, 'silver', 'silver'];
    const values = await valuesOf('feedback', 'silver', [...best, ...words]);
    expect(values.slice(3).map((value) => (value as number) > 0)).toEqual(words.map((_, at) => at < 20));
  });
});

describe('namespaces', () => {
  const texts = ['silver lake by odo krant', 'odo krant was here', 'none of it', 'nor this', 'nor that one'];

  test.each(['titleBridge', 'wordBridge', 'feedback'] as const)(
    '%s: nothing flows across',
    async (feature) => {
      const reached = async (tenants: readonly string[]) => {
        const { chunks } = await createShaper({
          exactDedup: false,
          semanticDedup: false,
          namespace: 'tenant',
          order: 'input',
          relevance: { weights: weightsOf({ [feature]: 1 }) },
        }).shape({
          query: 'silver lake',
          chunks: texts.map((text, at) => ({
            id: `c${at}`,
            text: at === 1 ? text : `${text} ${['silver', '', 'silver'][at] ?? ''}`,
            metadata: { tenant: tenants[at % 2], ...(at === 1 ? { title: 'Odo Krant' } : {}) },
          })),
        });
        return (chunks[1]?.relevance ?? 0) > 0;
      };
      expect([await reached(['a', 'a']), await reached(['a', 'b'])]).toEqual([true, false]);
    },
  );
});

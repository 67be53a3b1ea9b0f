import { createShaper } from 'context-shaping';
import { describe, expect, test } from 'vitest';
import { weightsOf } from '../support.js';
import { type Given, valuesOf } from './features.js';

const QUESTION = 'Where was the director of Silver Lake born?';
const FILM = 'Silver Lake is a film that Odo Krant made.';
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

describe('namespaces', () => {
  const texts = ['silver lake by odo krant', 'odo krant was here', 'none of it', 'nor this', 'nor that one'];

  test('nothing flows across', async () => {
    const reached = async (tenants: readonly string[]) => {
      const { chunks } = await createShaper({
        exactDedup: false,
        semanticDedup: false,
        namespace: 'tenant',
        order: 'input',
        relevance: { weights: weightsOf({ titleBridge: 1 }) },
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
  });
});

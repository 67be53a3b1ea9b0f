import { createShaper } from 'context-shaping';
import { describe, expect, test } from 'vitest';
import { resolveOptions } from '../../src/input/options.js';
import { toCandidates } from '../../src/input/to-candidates.js';
import { profileOf } from '../../src/relevance/chunks.js';
import { weightsOf } from '../support.js';
import { chunksOf, type Given, valuesOf } from './features.js';

const turn = (speaker: string, text: string): Given => [text, { speaker }];

describe('speakers that the question names', () => {
  const talk = [
    turn('Caroline', 'I have been painting a lake.'),
    turn('Melanie', 'Oh Caroline, Caroline! You paint, Caroline.'),
    turn('Caroline', 'The kids are at school.'),
    turn('Melanie', 'Mine are at home.'),
    'Caroline paints.',
  ];

  test.each(['What did Caroline say?', "What is Caroline's painting?", 'CAROLINE paints?'])(
    '%s: her turns, not those that call her by name',
    async (query) => {
      expect(await valuesOf('speaker', query, talk)).toEqual([1, 0, 1, 0, 0]);
    },
  );

  test.each(['bm25', 'coverage', 'proximity', 'grams'] as const)(
    '%s: her name in a text is no match',
    async (feature) => {
      expect(new Set(await valuesOf(feature, 'What did Caroline say?', talk))).toEqual(new Set([undefined]));
      const [hers, ofHer, , neither] = (await valuesOf(
        feature,
        'What did Caroline paint?',
        talk,
      )) as number[];
      expect(hers).toBeGreaterThan(0);
      expect(ofHer).toBeGreaterThan(0);
      expect(neither).toBe(0);
    },
  );

  test('her turn on it goes before a turn of another speaker that has her name', async () => {
    const { chunks } = await createShaper({
      relevance: { weights: weightsOf({ coverage: 1, speaker: 1 }) },
    }).shape({
      query: 'What did Caroline paint?',
      chunks: chunksOf(talk),
    });
    expect(chunks.map(({ id }) => id)).toEqual(['c0', 'c1', 'c2', 'c4', 'c3']);
  });

  test('one of several names is enough', async () => {
    const values = await valuesOf('speaker', 'What did Hudson say?', [
      turn('Rock Hudson', 'No.'),
      turn('Rock Bottom', 'Hudson!'),
    ]);
    expect(values).toEqual([1, 0]);
  });

  test('a name without a speaker is a word like any other', async () => {
    const pool = [turn('Ann', 'Nate?'), turn('Bob', 'No.')];
    expect(await valuesOf('coverage', 'Where is Nate?', pool)).toEqual([1, 0]);
    expect(await valuesOf('speaker', 'Where is Nate?', pool)).toEqual([undefined, undefined]);
  });

  test.each([
    ['What did I order?', [1, 0]],
    ['Which is my order?', [1, 0]],
    ["What I'd like?", [1, 0]],
    ['What did you order?', [0, 1]],
    ['What was your order?', [0, 1]],
    ['What did you tell me?', [0, 1]],
    ['Remind me of what you recommended to me for my trip.', [0, 1]],
    ['What did I say when you recommended it?', [1, 0]],
    ['How do you boil an egg?', [undefined, undefined]],
    ['What was it?', [undefined, undefined]],
    ['Is it in my mind, user?', [1, 0]],
  ])('%s asks for the turns of %j', async (query, expected) => {
    for (const [one, other] of [
      ['user', 'assistant'],
      ['User', 'AI'],
    ] as const) {
      expect(await valuesOf('speaker', query, [turn(one, 'Red one.'), turn(other, 'Blue one.')])).toEqual(
        expected,
      );
    }
  });

  test.each<[string, Given[]]>([
    [
      'writers of documents',
      [
        ['A', { speaker: 'Ann', source: 'a' }],
        ['B', { speaker: 'Bob', source: 'b' }],
      ],
    ],
    ['one speaker alone', [turn('Ann', 'A'), turn('Ann', 'B')]],
    ['less than half', [turn('Ann', 'A'), turn('Bob', 'B'), 'C', 'D', 'E']],
  ])('%s make no talk', async (_, pool) => {
    expect(new Set(await valuesOf('speaker', 'What does Ann say?', pool))).toEqual(new Set([undefined]));
  });

  test('people are no roles', async () => {
    const values = await valuesOf('speaker', 'What did I say to you?', [
      turn('Ann', 'a'),
      turn('Userine', 'b'),
    ]);
    expect(values).toEqual([undefined, undefined]);
  });
});

describe('the profile of a pool', () => {
  const profile = (...speakers: (string | undefined)[]) => {
    const chunks = speakers.map((speaker, at) => ({
      id: `${at}`,
      text: 'a',
      metadata: { speaker, source: 's' },
    }));
    return profileOf(toCandidates({ query: '', chunks }, resolveOptions()).candidates);
  };

  test.each<[string, (string | undefined)[]]>([
    ['passages', []],
    ['passages', [undefined, undefined]],
    ['passages', ['Ann', 'Ann']],
    ['passages', ['user', 'user']],
    ['passages', ['user', 'assistant', undefined, undefined, undefined]],
    ['talk', ['Ann', 'Bob']],
    ['talk', ['Ann', 'Bob', undefined, undefined]],
    ['talk', ['Ann', 'Userine', 'Ai Weiwei', 'Botha']],
    ['chat', ['user', 'assistant']],
    ['chat', ['Human', 'AI']],
    ['chat', ['customer', 'agent', 'customer']],
    ['chat', ['system', 'user', 'Model', 'tool']],
    // A user by name, and of the assistant next to nothing was retrieved.
    ['chat', ['Ann', 'assistant', 'Ann', 'Ann']],
    // A bot in a talk of people.
    ['talk', ['Ann', 'Bob', 'bot', 'Ann', 'Bob']],
  ])('%s: %j', (expected, speakers) => {
    expect(profile(...speakers)).toBe(expected);
    expect(profile(...speakers.toReversed())).toBe(expected);
  });

  test('decides on the weights: among people a neighbour counts for more', async () => {
    const share = async (one: string, other: string) => {
      const { report } = await createShaper().shape({
        query: 'red dax',
        chunks: chunksOf([
          ['red dax', { speaker: one, source: 's', position: 0 }],
          ['It was.', { speaker: other, source: 's', position: 1 }],
          ['Nothing else.', { speaker: one, source: 't', position: 1 }],
        ]),
      });
      return report.kept.find(({ id }) => id === 'c1')?.features?.neighbours ?? 0;
    };
    expect(await share('Ann', 'Bob')).toBeGreaterThan(await share('user', 'assistant'));
  });
});

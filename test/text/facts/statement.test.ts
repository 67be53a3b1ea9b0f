import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { factsOf } from '../../../src/text/facts/facts.js';
import { numbered } from '../../../src/text/facts/numbered.js';
import { sameStatement, statementOverlap, swappedFacts } from '../../../src/text/facts/statement.js';

const same = (a: string, b: string): boolean => sameStatement(factsOf(a), factsOf(b));

const SAME: [a: string, b: string][] = [
  ['The colour of the tumour was grey.', 'The color of the tumor was gray.'],
  ['The theatre organised a programme and cancelled it.', 'The theater organized a program and canceled it.'],
  ['In Paris, it rained all day.', 'It rained all day in Paris.'],
  ['He went home because it rained.', 'Because it rained, he went home.'],
  ['He did not come on the train.', 'On the train he did not come.'],
  ['Apples and pears are sold there.', 'Pears and apples are sold there.'],
  ['The lid of the box is red.', 'The box lid is red.'],
  ['It has a red lid.', 'Please note that it also has a red lid.'],
  ['The dose is five km.', 'The dose is 5 kilometres.'],
  ['We are using GPT-4 there.', 'We are using GPT4 there.'],
  ['', ''],
];

const OTHER: [why: string, a: string, b: string][] = [
  ['another word', 'The patient was given aspirin.', 'The patient was given heparin.'],
  ['another word, once', 'A cat, a cat and a dog came.', 'A cat, a dog and a dog came.'],
  ['another order', 'The dog bit the man.', 'The man bit the dog.'],
  ['another order', 'Flights go from the coast to the hills.', 'Flights go from the hills to the coast.'],
  ['another order', 'Brown dogs chase white cats.', 'White dogs chase brown cats.'],
  ['another order', 'After lunch, rest.', 'After rest, lunch.'],
  ['owner and owned', "The teacher's student spoke.", "The student's teacher spoke."],
  [
    'two moves',
    'Early on, the old firm sold the ships to pay debts.',
    'To pay debts the ships the old firm sold early on.',
  ],
  ['facts alone that move', 'They won 3-1 at home.', 'They won 1-3 at home.'],
  ['another denial', 'Not all of them are safe.', 'All of them are not safe.'],
  ['another denial', "The problem isn't who has money.", "The problem is who doesn't have money."],
  ['another denial', '我喜欢他，不喜欢她', '我不喜欢他，喜欢她'],
  ['a condition', 'The drug causes harm to the young.', 'The drug may cause harm to the young.'],
  ['a clause that hangs otherwise', 'He stayed while it was first.', 'He stayed although it was first.'],
  ['too much more', 'The cat sat.', 'The cat sat and the dog barked.'],
];

const text = fc.string({
  unit: fc.constantFrom(
    ...['the ', 'dog ', 'man ', 'bit ', 'not ', '5 ', 'km ', 'Ann ', ', ', 'in ', "'s ", '不', '. '],
  ),
  maxLength: 12,
});

describe('sameStatement', () => {
  it.each(SAME)('is true of: %s | %s', (a, b) => {
    expect([same(a, b), same(b, a)]).toEqual([true, true]);
  });

  it.each(OTHER)('is not for %s: %s | %s', (_, a, b) => {
    expect([same(a, b), same(b, a)]).toEqual([false, false]);
  });

  it('is reflexive and symmetric', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(same(a, a)).toBe(true);
        expect(same(b, a)).toBe(same(a, b));
      }),
      { seed: 1, numRuns: 2_000 },
    );
  });

  it('takes one move of a run of words in a long text, and none of a run too long to be a phrase', () => {
    const word = (i: number) => `w${String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26))}`;
    const words = Array.from({ length: 600 }, (_, i) => word(i));
    const moved = (size: number) => [
      ...words.slice(size, 2 * size),
      ...words.slice(0, size),
      ...words.slice(2 * size),
    ];
    expect(same(words.join(' '), moved(50).join(' '))).toBe(true);
    expect(same(words.join(' '), moved(150).join(' '))).toBe(false);
  });
});

describe('swappedFacts', () => {
  const swapped = (a: string, b: string) => swappedFacts(...numbered(factsOf(a), factsOf(b)));

  it('tells the facts that changed places, in the order of each text', () => {
    expect(swapped('In May Ann sued Bob.', 'In May Bob sued Ann.')).toEqual({
      kinds: ['name'],
      differences: [['ann, bob'], ['bob, ann']],
    });
    expect(swapped('Not all of them are safe.', 'All of them are not safe.')).toMatchObject({
      kinds: ['negation'],
      differences: [['not all'], ['not safe']],
    });
  });

  it('is nothing where a phrase moved, or words alone', () => {
    expect(swapped('In Paris, Ann met Bob.', 'Ann met Bob in Paris.')).toBeUndefined();
    expect(swapped('The dog bit the man.', 'The man bit the dog.')).toBeUndefined();
  });
});

describe('statementOverlap', () => {
  it('is the share of words of substance, in one spelling', () => {
    const overlap = (a: string, b: string) => statementOverlap(factsOf(a), factsOf(b));
    expect(overlap('It flew five km.', 'It had flown 5 kilometres.')).toBeCloseTo(1 / 3, 12);
    expect(overlap('It is 5 km.', 'They had 5 kilometres.')).toBeCloseTo(1 / 2, 12);
    expect(overlap('', '')).toBe(0);
  });
});

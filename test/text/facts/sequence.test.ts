import { describe, expect, it } from 'vitest';
import { factsOf } from '../../../src/text/facts/facts.js';
import { sequenceOf } from '../../../src/text/facts/sequence.js';

const same = (a: string, b: string): boolean => sequenceOf(factsOf(a)) === sequenceOf(factsOf(b));

const SAME: [a: string, b: string][] = [
  ['The colour of the tumour was grey.', 'The color of the tumor was gray.'],
  ['The theatre organised a programme and cancelled it.', 'The theater organized a program and canceled it.'],
  ['The firm has sold a ship.', 'The firm sold the ship.'],
  ["It's red, and Ann's box is not.", "It is red and the Ann's box isn't."],
  ['They are playing chess.', 'They play chess.'],
  ['The box that fell is red.', 'The box which fell was red.'],
  ['It was signed on 5 May 2020.', 'It was signed 5 May 2020.'],
  ['The pages are 6 to 12.', 'The pages are 6-12.'],
  ['It has a red lid.', 'Please note that it also has the red lid.'],
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
  ['a moved phrase', 'In Paris, it rained all day.', 'It rained all day in Paris.'],
  ['another word for "of"', 'The lid of the box is red.', 'The box lid is red.'],
  ['a passive', 'The army was attacked in May.', 'The army attacked in May.'],
  ['a passive', 'Ann was sued by Bob.', 'Ann sued Bob.'],
  ['a letter that is a name', 'The drug for hepatitis A is old.', 'The drug for hepatitis is old.'],
  ['a preposition that looks like an article', 'Ana llamó a Luis.', 'A Ana llamó Luis.'],
  ['signs in another order', 'Copy app.conf to app/conf.', 'Copy app/conf to app.conf.'],
  [
    'a word more',
    'They can archive the old reports of the year.',
    'They can merely archive the old reports of the year.',
  ],
  ['too much more', 'The cat sat.', 'The cat sat and the dog barked.'],
];

describe('sequenceOf', () => {
  it.each(SAME)('is the same: %s | %s', (a, b) => {
    expect([same(a, b), same(b, a)]).toEqual([true, true]);
  });

  it.each(OTHER)('differs by %s: %s | %s', (_, a, b) => {
    expect([same(a, b), same(b, a)]).toEqual([false, false]);
  });
});

import { expect, test } from 'vitest';
import { type Setting, statementDifference, statementFactsOf } from '../../../src/text/facts/statements.js';

const NOWHERE: Setting = { title: [], heading: [] };
const between = (one: string, other: string, left = NOWHERE, right = NOWHERE) =>
  statementDifference(statementFactsOf(one), statementFactsOf(other), left, right);

test.each([
  [
    'number',
    'A failed delivery is tried again for 6 hours.',
    'A failed delivery is tried again for 24 hours.',
  ],
  [
    'number',
    'Hookline retries for 6 hours, with at most 6 attempts.',
    'Hookline retries for 24 hours, with at most 8 attempts.',
  ],
  ['number', 'The endpoint is disabled after a day.', 'The endpoint is disabled after 3 days.'],
  [
    'unit',
    'The infusion of noradrenaline runs at 5 ml per hour.',
    'The infusion of noradrenaline runs at 5 ml per minute.',
  ],
  ['date', 'The Harlow bridge was opened on 19 March 1932.', 'The Harlow bridge was opened on 21 June 1934.'],
  ['name', 'Halden Foods is headquartered in Copenhagen.', 'Halden Foods is headquartered in Stockholm.'],
  ['name', 'France sold the territory to Spain in 1763.', 'Spain sold the territory to France in 1763.'],
  [
    'negation',
    'Hookline retries deliveries to disabled endpoints.',
    'Hookline does not retry deliveries to disabled endpoints.',
  ],
  ['negation', 'Plugins must not modify the request object.', 'Plugins may modify the request object.'],
  ['sign', 'The trial ended with p < 0.05 for mortality.', 'The trial ended with p > 0.05 for mortality.'],
  ['word', 'The biopsy showed that the lesion was cystic.', 'The biopsy showed that the lesion was solid.'],
])('a difference of one %s', (kind, one, other) => {
  const found = between(one, other);
  expect(found).toMatchObject({ kinds: [kind], isSure: true });
  const {
    kinds,
    sides: [left, right],
  } = found as NonNullable<typeof found>;
  expect(between(other, one)).toMatchObject({ kinds, sides: [right, left] });
});

test.each([
  ['equal statements', 'It takes five hours.', 'It takes 5 hours.'],
  ['another subject and value', 'Paris is the capital of France.', 'Rome is the capital of Italy.'],
  ['another plan', 'The Basic plan includes 10 users.', 'The Pro plan includes 25 users.'],
  ['another room', 'Room 101 has 20 seats.', 'Room 102 has 20 seats.'],
  ['two things around a verb', 'The capital of France is Paris.', 'The capital of Italy is Rome.'],
  ['another event', 'The club won the cup in 1995.', 'The club won the cup again in 1997.'],
  ['half of a unit', 'The probation period lasts half a year.', 'The probation period lasts 6 months.'],
  ['a number and a half', 'The match lasted one and a half hours.', 'The match lasted 90 minutes.'],
  ['a bound in words', 'The file may have up to two megabytes.', 'The file may have up to 2 MB.'],
  ['a word that denies', 'The transfer was unsuccessful.', 'The transfer was not successful.'],
  ['another year', 'Revenue in 2021 was 4.1 million dollars.', 'Revenue in 2022 was 4.8 million dollars.'],
  [
    'another condition',
    'At 20 °C the salt dissolves within a minute.',
    'At 80 °C the salt dissolves within five seconds.',
  ],
  [
    'another subject',
    'Baymax is a character of Marvel Comics.',
    'Fredzilla is a character of Marvel Comics.',
  ],
  ['a converted unit', 'The beam has a wavelength of 0.5 µm.', 'The beam has a wavelength of 500 nm.'],
  ['a rounded number', 'The group earned 12.4 million dollars.', 'The group earned 12.38 million dollars.'],
  ['a denied opposite', 'The valve of the pump is not open.', 'The valve of the pump is closed.'],
  [
    'members in another order',
    'Keller, Novak and Sato reached the final.',
    'Sato, Keller and Novak reached the final.',
  ],
  [
    'words of another style',
    'To make an argument variadic you append three dots to the name of the argument of the command.',
    'To make an argument variadic simply append three dots to the name of the argument of the command.',
  ],
])('no difference: %s', (_, one, other) => {
  expect(between(one, other)).toBeUndefined();
  expect(between(other, one)).toBeUndefined();
});

test('a subject that is not named is sure only under one title or heading', () => {
  const [one, other] = [
    'The population was 6,138 at the 2010 census.',
    'The population was 8,278 at the 2010 census.',
  ];
  const of = (...title: string[]): Setting => ({ title, heading: [] });
  expect(between(one, other)?.isSure).toBe(false);
  expect(between(one, other, of('lai'), of('mākaha'))?.isSure).toBe(false);
  expect(between(one, other, of('lai', 'hawaii'), of('lai', 'hawaii'))?.isSure).toBe(true);
});

test('a value that stands in a title is the subject', () => {
  const of = (...title: string[]): Setting => ({ title, heading: [] });
  const [one, other] = [
    'Halden Foods has its office in Copenhagen.',
    'Halden Foods has its office in Stockholm.',
  ];
  expect(between(one, other)?.isSure).toBe(true);
  expect(between(one, other, of('copenhagen'), of('stockholm'))).toBeUndefined();
});

test('statements of one document differ, but are not sure', () => {
  const of = (source: string): Setting => ({ ...NOWHERE, source });
  const [one, other] = ['Hookline keeps events for 30 days.', 'Hookline keeps events for 90 days.'];
  expect(between(one, other, of('a'), of('b'))?.isSure).toBe(true);
  expect(between(one, other, of('a'), of('a'))?.isSure).toBe(false);
});

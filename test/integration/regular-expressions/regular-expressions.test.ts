/**
 * No regular expression of the sources takes long on any text: a search that goes back again and again can stop a
 * process. The expressions are those of the syntax trees, so that a new one is among them.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { type Result, runAll } from './run.js';

/** Processor time of one search through a text of 5,000 characters, or of a walk over all its matches. */
const MOST_MILLISECONDS = 50;
/** On a text of four times the length, an expression takes four times as long. If it goes back each time, it takes sixteen. */
const MOST_GROWTH = 8;
/** So short a time on 20,000 characters is no fault. Other programs of the machine disturb short times. */
const SHORT = 40;
/** These expressions only ever read short texts. */
const READ_SHORT_TEXTS = [
  // A number.
  String.raw`/\B(?=(?:\d{3})+$)/g`,
  // Each end of a line, of 200 characters.
  String.raw`/^(?:import\s`,
];

let result: Result;
beforeAll(async () => {
  result = await runAll(process.cwd());
});

describe('regular expressions', () => {
  test('all are found and run', () => {
    expect(result.failed).toEqual([]);
    expect(result.unmade, 'Add a call to calls.ts that makes these expressions.').toEqual([]);
    expect(result.costs.length).toBe(result.names.length);
    expect(result.costs.length).toBeGreaterThan(690);
  });

  test('none takes long on hostile texts', () => {
    expect(result.costs.filter(({ milliseconds }) => milliseconds >= MOST_MILLISECONDS)).toEqual([]);
  });

  test('none takes a time that grows faster than the text', () => {
    const grow = result.costs.filter(
      ({ milliseconds, growth = 0, source }) =>
        growth > MOST_GROWTH &&
        growth * milliseconds > SHORT &&
        !READ_SHORT_TEXTS.some((each) => source.startsWith(each)),
    );
    expect(grow).toEqual([]);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasWords, shareHeld, unitsOf } from '../../src/evaluate/evidence.js';
import { fold, within } from '../../src/evaluate/texts.js';
import type { Evidence } from '../../src/evaluate/types.js';

const chunks = [
  { id: 'a', text: 'The bridge opened in 1932.\nIt has eight lanes.\n\nTrams crossed it until 1958.' },
  { id: 'b', text: 'A ferry crossed the harbour before.' },
  { id: 'copy', text: 'A  FERRY crossed the harbour before.' },
];
const folded = chunks.map(({ text }) => fold(text));
const units = (evidence: Evidence) => unitsOf(evidence, chunks, folded);
const held = (evidence: Evidence, ...parts: (readonly [place: number, text: string])[]) =>
  shareHeld(
    units(evidence),
    parts.map(([place, text]) => ({ place, folded: fold(text) })),
  );

describe('an answer is whole words, in any case and white space', () => {
  test.each([
    ['opened in 1932.', '1932', true],
    ['opened in 21932', '1932', false],
    ['opened in 19321', '1932', false],
    ['it cost 3,512 pounds', '512', false],
    ['it cost 3,512 pounds', '3', false],
    ['it cost 3,512 pounds', '3,512', true],
    ['version 1.12', '12', false],
    ['in 1932, and 12.', '12', true],
    ['in sydney', 'sydney', true],
    ['the sydneysider', 'sydney', false],
    ['é is not e: café', 'caf', false],
    ['1932年に開通した', '開通', true],
    ['the c++ language', 'c++', true],
    ['a cat, concatenated, cat', 'cat', true],
  ])('%s has %s: %s', (text, answer, expected) => {
    expect(hasWords(text, answer)).toBe(expected);
  });

  test('of alternatives one is enough', () => {
    expect(held({ answers: [['nineteen thirty-two', '1932']] }, [0, 'opened  IN 1932'])).toBe(1);
    expect(held({ answers: ['nineteen thirty-two', '1932'] }, [0, 'opened in 1932'])).toBe(1 / 2);
    expect(units({ answers: ['nineteen thirty-two', '1932'] })).toHaveLength(2);
  });

  test('a text always holds its own words, and never an answer that it has not', () => {
    const word = fc.stringMatching(/^[a-c0-9]{1,4}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), word, (words, sought) => {
        expect(hasWords(words.join(' '), sought)).toBe(words.includes(sought));
      }),
    );
  });
});

test('of a chunk that an id names, or one with the same text, the share of its text counts', () => {
  const shareOf = (part: string, of: string) => fold(part).length / fold(of).length;
  const [a, b] = chunks.map(({ text }) => text) as [string, string];
  expect(held({ ids: ['a'] }, [0, a])).toBe(1);
  expect(held({ ids: ['a'] }, [0, 'It has eight lanes.'])).toBeCloseTo(shareOf('It has eight lanes.', a));
  expect(held({ ids: ['a'] }, [1, 'It has eight lanes.'])).toBe(0);
  expect(held({ ids: ['b'] }, [2, 'A ferry'])).toBeCloseTo(shareOf('A ferry', b));
  expect(held({ ids: ['a', 'b'] }, [0, a])).toBe(1 / 2);
  // Two parts of one chunk are summed, parts of two copies are not.
  expect(held({ ids: ['b'] }, [1, 'A ferry'], [1, 'crossed'])).toBeCloseTo(shareOf('A ferrycrossed', b));
  expect(held({ ids: ['b'] }, [1, 'A ferry'], [2, 'A ferry'])).toBeCloseTo(shareOf('A ferry', b));
  expect(held({ ids: ['none'] }, [0, a])).toBe(0);
});

test('passages are kept word for word', () => {
  expect(held({ passages: ['it has eight\nlanes.'] }, [0, 'opened. It has eight lanes. Then'])).toBe(1);
  expect(held({ passages: ['It has eight lanes.'] }, [0, 'It has … lanes.'])).toBe(0);
});

test('the part within a number of tokens is the longest that fits, from either side', () => {
  const words = (text: string) => text.split(/\s+/).filter((word) => word !== '').length;
  const text = 'one two three four five';
  expect(within(text, 2, words, 'beginning')).toBe('one two');
  expect(within(text, 2, words, 'end')).toBe('four five');
  expect(within(text, 5, words, 'end')).toBe(text);
  expect(within(text, 0, words, 'beginning')).toBe('');
  expect(within('橋は開通した', 2, (part) => part.length, 'beginning')).toBe('橋は');
});

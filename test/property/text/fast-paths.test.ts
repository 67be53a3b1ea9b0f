/** Reading character by character finds the same as the expressions, for every text. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shannonEntropy } from '../../../src/math/entropy.js';
import { codeUnitsOf } from '../../../src/text/code-units.js';
import { characterEntropy, entropyOf } from '../../../src/text/entropy.js';
import { SUSPECT } from '../../../src/text/hidden/classes.js';
import { hiddenIn } from '../../../src/text/hidden/hidden.js';
import { Lexicon } from '../../../src/text/lexicon.js';
import { wordsOf } from '../../../src/text/words.js';
import { pieceEnd } from '../../../src/tokens/pieces.js';

const piece = fc.oneof(
  fc.constantFrom(
    ...[
      'the',
      'Straße',
      'maxRetries',
      'HTTPServer',
      'a_b',
      '1,000',
      '12,34',
      'v1.2.3',
      'C++',
      'C#',
      'src/a.ts',
    ],
    ...[
      "don't",
      'l’eau',
      "'tis",
      "o'2",
      '_',
      'é',
      'Œuvre',
      '×',
      '÷',
      'ſ',
      'ŀ',
      '²',
      '½',
      '…',
      '\u2011',
      '–',
      '“',
    ],
    ...[
      '橋は',
      'ー',
      '한국',
      'привет',
      'ς',
      '𝒜',
      '𝟏',
      '😀',
      '\ud83d',
      '\udc00',
      '\u0301',
      '\u00a0',
      '\u2028',
      'Ａ',
    ],
    ...['~', '^', '>', '<', '>=', '<= '],
    ...[' ', '  ', '\n', '\r\n', '\t', '.', ',', '-', '--', '/', '@', '#', '+', "'", '’', '"', '(', '\u0001'],
    ...['a'.repeat(1030), '1'.repeat(130), "a'".repeat(20), 'Ab'.repeat(70)],
  ),
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc.string({ maxLength: 6 }),
);
const text = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));
const check = (holds: (each: string) => void, each = text) =>
  fc.assert(
    fc.property(each, (given) => {
      holds(given);
    }),
    { numRuns: 5000, seed: 1 },
  );

describe('as the expressions have it', () => {
  test('pieces of which tokens are estimated', () => {
    const expression = /[\p{L}\p{M}]+|\p{N}+|\s+|[^\p{L}\p{M}\p{N}\s]+[\r\n]*/gu;
    check((each) => {
      const ends: number[] = [];
      for (let at = 0; at < each.length; ) {
        at = pieceEnd(codeUnitsOf(each), at, each.length);
        ends.push(at);
      }
      expect(ends).toEqual(Array.from(each.matchAll(expression), (match) => match.index + match[0].length));
    });
  });
});

describe('the same from a part as from a text of its own', () => {
  test('runs', () => {
    check(
      (each) => {
        const lexicon = new Lexicon();
        for (let start = 0; start < each.length; start += 5) {
          const end = Math.min(each.length, start + 7);
          const found = lexicon.runsWithin(each, start, end);
          expect(Array.from(found)).toEqual(Array.from(lexicon.runs(each.slice(start, end))));
        }
      },
      fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('').slice(0, 60)),
    );
  });
});

test('entropy of characters is that of a sequence of symbols, to the last bit', () => {
  check((each) => expect(characterEntropy(each)).toBe(shannonEntropy(each)));
});

test('entropy of words counts words', () => {
  check((each) => expect(entropyOf(each, new Lexicon()).token).toBe(shannonEntropy(wordsOf(each))));
});

test('a text without characters that may be hidden hides none', () => {
  check((each) => {
    if (!SUSPECT().test(each)) expect(hiddenIn(each)).toEqual([]);
  });
});

test('code units are those of the text, and a 0', () => {
  check((each) => {
    const expected = Array.from({ length: each.length }, (_, at) => each.charCodeAt(at));
    expect(Array.from(codeUnitsOf(each).subarray(0, each.length + 1))).toEqual([...expected, 0]);
  });
});

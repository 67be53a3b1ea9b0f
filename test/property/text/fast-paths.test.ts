/** Reading character by character finds the same as the expressions, for every text. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shannonEntropy } from '../../../src/math/entropy.js';
import { codeUnitsOf } from '../../../src/text/code-units.js';
import { compoundsOf, locatedCompounds } from '../../../src/text/compounds.js';
import { characterEntropy, entropyOf } from '../../../src/text/entropy.js';
import { fold } from '../../../src/text/fold.js';
import { GramKeys, GramSearch, gramsOf } from '../../../src/text/grams.js';
import { SUSPECT } from '../../../src/text/hidden/classes.js';
import { hiddenIn } from '../../../src/text/hidden/hidden.js';
import { Lexicon } from '../../../src/text/lexicon.js';
import { plainRuns } from '../../../src/text/plain-runs.js';
import { DEPENDENT, MAY_BE_HIDDEN, MAY_LOOK_LATIN, SURROGATE, signsOf } from '../../../src/text/signs.js';
import { Vocabulary } from '../../../src/text/vocabulary.js';
import { locatedRuns, wordsOf } from '../../../src/text/words.js';
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
  test('runs and their places', () => {
    const vocabulary = new Vocabulary();
    let plain = 0;
    check((each) => {
      const read = plainRuns(each, vocabulary);
      if (read === undefined) return;
      plain++;
      const runs = Array.from(read.runs, (run) => vocabulary.wordOf(run));
      const { starts } = read;
      expect({ runs, ...(starts && { starts: Array.from(starts) }) }).toEqual(locatedRuns(each));
    });
    expect(plain).toBeGreaterThan(500);
  });

  test('words that share a place in the table stay apart', () => {
    const vocabulary = new Vocabulary();
    const words = Array.from({ length: 40_000 }, (_, number) => `w${number}`);
    for (const word of [...words, ...words]) expect(vocabulary.wordOf(vocabulary.idOf(word))).toBe(word);
    expect(vocabulary.size).toBe(40_000);
  });

  test('compounds and their places', () => {
    const word = '[A-Za-z0-9_]{1,128}';
    const token = new RegExp(
      '(?<![\\p{L}\\p{M}\\p{N}_])(?:[0-9]{1,3}(?:,[0-9]{3}){1,8}(?:\\.[0-9]{1,32})?(?![\\p{L}\\p{N}_])|' +
        `${word}(?:[-.:/@#\\\\]{1,3}${word}){0,32}(?:\\+\\+|#)?)`,
      'gu',
    );
    const plain = /^(?:[A-Z]?[a-z]+|[A-Z]+|[0-9]+)$/;
    const operator = /(?:(?<![~^\w])[~^]|(?<![<>=!-])[<>]=? ?)$/;
    let found = 0;
    check((each) => {
      const expected = Array.from(each.matchAll(token)).flatMap(({ 0: found, index: start }) => {
        const range = /^[0-9]/.test(found) ? operator.exec(each.slice(0, start))?.[0].trim() : undefined;
        if (plain.test(found) && range === undefined) return [];
        const whole = range === undefined ? [] : [range + found.toLowerCase()];
        return [{ start, compounds: [...compoundsOf(found), ...whole] }];
      });
      expect(locatedCompounds(each)).toEqual(expected);
      found += expected.length;
    });
    expect(found).toBeGreaterThan(1000);
  });

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

  test('n-grams', () => {
    const runs = fc.oneof(
      fc.stringMatching(/^[a-c]{1,7}$/),
      fc.stringMatching(/^[ab12_]{1,4}(?:'[ab]{1,4}){0,2}$/),
      fc.constantFrom("l'eau", '1932', 'über', '橋', '한국'),
    );
    fc.assert(
      fc.property(runs, fc.array(runs, { maxLength: 6 }), (run, others) => {
        const wanted = [...new Set(others.flatMap(gramsOf))];
        const found: number[] = [];
        const length = new GramSearch(wanted).find(run, found);
        expect(found.map((place) => wanted[place])).toEqual(
          gramsOf(run).filter((gram) => wanted.includes(gram)),
        );
        expect(length).toBe(gramsOf(run).length);
      }),
      { numRuns: 2000, seed: 2 },
    );
  });

  test('keys of n-grams exclude only runs without a wanted n-gram', () => {
    const run = fc.oneof(
      fc.stringMatching(/^[a-c]{1,7}$/),
      fc.stringMatching(/^[ab12_]{1,4}(?:'[ab12]{1,4}){0,2}$/),
      fc.constantFrom("l'eau", '1932', 'über'),
    );
    fc.assert(
      fc.property(fc.uniqueArray(run, { minLength: 1, maxLength: 20 }), fc.array(run), (runs, others) => {
        const search = new GramSearch([...new Set(others.flatMap(gramsOf))]);
        const keys = new GramKeys();
        for (const [number, each] of runs.entries()) {
          const own: number[] = [];
          search.find(each, [], own);
          expect(own).toHaveLength(each === 'über' ? 0 : gramsOf(each).length);
          keys.add(5000 * number, own);
        }
        for (const [number, each] of runs.entries()) {
          const found: number[] = [];
          const size = search.find(each, found);
          expect(keys.isKnown(5000 * number)).toBe(each !== 'über');
          expect(found.length > 0 ? [0] : [0, size]).toContain(
            keys.sizeWithout(5000 * number, search.mayBeWanted),
          );
          expect(keys.sizeWithout(5000 * number, new Uint8Array(search.mayBeWanted.length))).toBe(
            each === 'über' ? 0 : size,
          );
        }
      }),
      { numRuns: 500, seed: 3 },
    );
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

test('signs: a text without signs of a kind has no such character', () => {
  check((each) => {
    const signs = signsOf(each);
    const has = (sign: number) => (signs & sign) !== 0;
    if (SUSPECT().test(each)) expect(has(MAY_BE_HIDDEN)).toBe(true);
    if (!has(MAY_BE_HIDDEN)) expect(hiddenIn(each)).toEqual([]);
    expect(has(SURROGATE)).toBe(/[\ud800-\udfff]/.test(each));
    expect(has(MAY_LOOK_LATIN)).toBe(/[\u0370-\u052f]/.test(each));
    if (!has(DEPENDENT)) expect(Array.from(each, fold).join('')).toBe(fold(each));
  });
});

test('every character that is not dependent is folded by itself', () => {
  const alone: string[] = [];
  for (let unit = 0; unit < 0x10000; unit++) {
    const character = String.fromCharCode(unit);
    if ((signsOf(character) & DEPENDENT) === 0) alone.push(character);
  }
  expect(alone.length).toBeGreaterThan(10_000);
  // Each behind each of a few, and before its neighbour.
  for (const first of ['a', 'σ', 'ß', 'ي', '가', "'"])
    for (const each of alone) expect(fold(first + each)).toBe(fold(first) + fold(each));
  expect(fold(alone.join(''))).toBe(alone.map(fold).join(''));
});

test('code units are those of the text, and a 0', () => {
  check((each) => {
    const expected = Array.from({ length: each.length }, (_, at) => each.charCodeAt(at));
    expect(Array.from(codeUnitsOf(each).subarray(0, each.length + 1))).toEqual([...expected, 0]);
  });
});

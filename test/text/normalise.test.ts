import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalForm } from '../../src/text/characters.js';
import { normalise } from '../../src/text/normalise.js';
import { cpuMilliseconds } from '../time.js';

const marks = fc.array(fc.constantFrom('\u0301', '\u0323', '\u0307', '\u0302', '\u05b0', '\uff9e'), {
  maxLength: 30,
});

describe('runs of marks', () => {
  const word = fc
    .tuple(fc.constantFrom('a', 'か', 'x e', '\u{1d157}'), marks)
    .map(([base, run]) => base + run.join(''));
  const text = fc
    .array(fc.oneof(word, fc.string({ unit: 'grapheme' })), { maxLength: 4 })
    .map((all) => all.join(' '));

  test('of up to 30 have the normal form of Unicode, and one for all orders that are canonically equivalent', () => {
    fc.assert(
      fc.property(text, fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD'), (given, form) => {
        expect(normalForm(given, form)).toBe(given.normalize(form));
        expect(normalise(given.normalize('NFD'))).toBe(normalise(given));
      }),
    );
  });

  test('of more take linear time, lose no mark, and change nothing in a second pass', async () => {
    const long = fc
      .tuple(word, fc.array(marks, { minLength: 2, maxLength: 8 }))
      .map(([first, all]) => first + all.flat().join(''));
    fc.assert(
      fc.property(long, (given) => {
        const form = normalForm(given, 'NFD');
        const sorted = (each: string) => [...each.normalize('NFD').replaceAll('\u034f', '')].sort();
        expect(sorted(form)).toEqual(sorted(given));
        expect(normalise(normalise(given))).toBe(normalise(given));
      }),
    );
    const time = (length: number) => cpuMilliseconds(() => normalise(`a${'\u0301\u0323'.repeat(length)}`));
    await time(2_000);
    expect(await time(160_000)).toBeLessThan(40 * (await time(20_000)) + 400);
  });
});

describe('normalising', () => {
  test.each([
    ['takes .5 mg', 'takes 5 mg'],
    ['-$5 million', '$5 million'],
    ['-.5 points', '5 points'],
    ['-½ cup', '½ cup'],
    ['5‰', '5'],
    ["5'", '5"'],
    ["is 5' wide", 'is 5 wide'],
    ['A-', 'A'],
    ['blood group AB-, then', 'blood group AB, then'],
    ['A+', 'A-'],
    ['if (!$user->isAdmin())', 'if ($user->isAdmin())'],
    ['state !== ready', 'state == ready'],
    ['a != b', 'a = b'],
    ['[ ! -f x ]', '[ -f x ]'],
    ['w * h', 'w / h'],
    ['p - d', 'p * d'],
    ['p - d', 'p d'],
    ['return -x', 'return x'],
    ['ls -la', 'ls la'],
    ['x -= 1', 'x = 1'],
    ['area = width - height;', 'area = width * height;'],
    ['1.5', '15'],
    ['10²', '102'],
    ['1½', '11/2'],
    ['(!ready)', '(ready)'],
    ['3-5', '3, 5'],
    ['C', 'C#'],
    ['app.conf', 'app/conf'],
    ['app.conf', 'app conf'],
    ['a.b', 'a b'],
    ['a/b', 'a:b'],
    ['ann@example', 'ann example'],
    ['R & D', 'R D'],
    ['f(x)', 'f x'],
    ['a[0]', 'a 0'],
    ['***', '---'],
    ['uses 5 mW', 'uses 5 MW'],
    ['uses 5mJ', 'uses 5 MJ'],
    ['at 5 Mb/s', 'at 5 MB/s'],
    ['㎽ means: 5㎽', '㎽ means: 5㎿'],
  ])('%j and %j stay apart', (one, other) => {
    expect(normalise(one)).not.toBe(normalise(other));
  });

  test.each([
    [
      'The cat sat – and slept!',
      'the cat sat - and slept',
      'the cat sat — and slept',
      'the cat sat and slept',
    ],
    ['"The cat" – sat!', 'The cat sat.', '“The cat” sat', '‘The cat’ sat'],
    ['wait...', 'wait…', 'wait'],
    ['a 16 GB card, 5 MW', 'a 16 gb card, 5 mw', 'A 16 GB CARD, 5 MW'],
    ['Hello!', 'hello', '¡Hello!', '(hello)'],
    ['Really?!', 'really'],
    ['- item', 'item', '* item', '• item', '– item'],
    ['one\n- item\n- 5 more', 'one\n* item\n* 5 more', 'one\nitem\n5 more'],
    ['**bold** text', 'bold text', '*bold* text'],
    ['*x*', 'x', '**x**'],
    ['in "1995" or “2001”', 'in 1995 or 2001'],
    ["the 1990's", 'the 1990’s'],
    ['Bonjour ! Ça va', 'Bonjour! Ça va'],
    ['don’t', "don't"],
    ['-5 °C', '–5 °C', '−5 °C'],
    ['3 - 5', '3–5', '3-5', '3 − 5'],
    ['takes .5 mg', 'takes 0.5 mg'],
    ['5\' 10"', '5′ 10″', '5’ 10”', "5' 10''"],
    ['a\r\nb', 'a b', ' A\tB '],
  ])('%j reads as the others do', (one, ...others) => {
    for (const other of others) expect(normalise(other)).toBe(normalise(one));
  });

  test('again changes nothing, with marks in all places', () => {
    const piece = fc.constantFrom(
      ...'-–—−!*/.,:\'"“”=<>()[]{}$%‰^& \n\n  aAbx5½²₂_#′é̸中',
      'and',
      'if',
      '10',
      '()',
      ' = ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const once = normalise(pieces.join(''));
        expect(normalise(once)).toBe(once);
      }),
      { numRuns: 20_000, seed: 7 },
    );
  });
});

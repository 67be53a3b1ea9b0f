import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalForm } from '../../src/text/characters.js';
import { fold } from '../../src/text/fold.js';
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
        expect(fold(given.normalize('NFD'))).toBe(fold(given));
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
        expect(fold(fold(given))).toBe(fold(given));
      }),
    );
    const time = (length: number) => cpuMilliseconds(() => fold(`a${'\u0301\u0323'.repeat(length)}`));
    await time(2_000);
    expect(await time(160_000)).toBeLessThan(40 * (await time(20_000)) + 400);
  });
});

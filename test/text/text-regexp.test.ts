/** A text is searched in another form with other classes, and the same is found at the same offsets. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { replaceIn, textRegExp } from '../../src/text/text-regexp.js';

const EXPRESSIONS = [
  textRegExp(({ L }) => `[${L}]+`, 'gu'),
  textRegExp(({ L }) => `(?<![${L}])[a-z]s(?=[${L}])`, 'giu'),
  textRegExp(({ LC }) => `[${LC}]`, 'gu'),
  textRegExp(({ Lm, Lo }) => `[${Lm}]|([${Lo}]+)`, 'gu'),
  textRegExp(({ M }) => `.[${M}]+`, 'gu'),
  textRegExp(({ N, Sc }) => `[${Sc}][${N}]|[${N}]`, 'gu'),
  textRegExp(({ L, M, N }) => `[^${L}${M}${N}]{1,3}`, 'gu'),
  textRegExp(({ Georgian, spaceless }) => `[${Georgian}]+|[${spaceless}ー]{1,4}|。`, 'gu'),
  textRegExp(() => String.raw`\s+|\d+|\w\b`, 'gu'),
];

function expectSame(text: string): void {
  for (const expression of EXPRESSIONS) {
    const { regexp, form } = expression(text);
    const found = (matches: Iterable<RegExpExecArray>) =>
      Array.from(matches, ({ 0: match, index }) => [index, text.slice(index, index + match.length)]);
    expect(found(form.matchAll(regexp))).toEqual(found(text.matchAll(expression.full())));
    expect(replaceIn(text, expression, '<$&>')).toBe(text.replace(expression.full(), '<$&>'));
  }
}

test('every character counts as itself', () => {
  for (let code = 0; code < 0x10000; code += 64) {
    const row = Array.from({ length: 64 }, (_, step) => String.fromCharCode(code + step));
    expectSame(row.join(' a'));
  }
});

test('the same is found in any text', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      ...[
        "don't",
        'n’est',
        'Straße',
        'Ǆ',
        'ǅ',
        'ſ',
        'ı',
        'İ',
        'K',
        'Å',
        'µ',
        'μ',
        'ͅ',
        'ᾳ',
        'e\u0301',
        '½',
        'Ⅷ',
        'ⅷ',
      ],
      ...[
        '東京は',
        'ー',
        '々',
        '〇',
        '。',
        'ไทย',
        '๑',
        'ქართული',
        'ჼ',
        '한국',
        'привет',
        'ς',
        '١٢',
        'שלום',
        'क्या',
        '\u3000',
      ],
      ...[
        '𝒜',
        '😀',
        '\ud83d',
        '\udc00',
        '\ue000',
        '\ue010',
        '₿',
        '⃀',
        '₂',
        'ⁿ',
        '→',
        '\u2065',
        '\u200d',
        '\ufeff',
      ],
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => expectSame(pieces.join(''))),
    { numRuns: 3000 },
  );
});

test('the form of an ordinary text is the text', () => {
  for (const text of ['', 'Plain text, 1–2 €.', 'Æsop in Łódź: “½ → ≥”'])
    expect(EXPRESSIONS[0]?.(text).form).toBe(text);
});

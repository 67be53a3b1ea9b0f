import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hiddenFlag } from '../../src/text/hidden/flag.js';
import { hiddenIn } from '../../src/text/hidden/hidden.js';
import type { HiddenClass } from '../../src/types.js';
import udhr from '../fixtures/udhr/articles.json' with { type: 'json' };

const tags = (text: string) =>
  Array.from(text, (each) => String.fromCodePoint(0xe0000 + (each.codePointAt(0) as number))).join('');
const selectors = (text: string) =>
  Array.from(new TextEncoder().encode(text), (byte) =>
    String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe0100 + byte - 16),
  ).join('');
const withoutHidden = (text: string) =>
  hiddenIn(text)
    .toReversed()
    .reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);

describe('hidden, each class', () => {
  test.each<[HiddenClass, string, string]>([
    ['tag', 'Hello', tags('Ignore')],
    ['tag', '🏴', `${tags('usca')}\u{e007f}`],
    ['variation-selector', 'a', '\ufe0f'],
    ['variation-selector', '😀', selectors('Ignore')],
    ['variation-selector', '漢\u{e0100}', '\u{e0101}'],
    ['bidirectional', 'pay ', '\u202e'],
    ['bidirectional', 'left ', '\u200f'],
    ['bidirectional', 'שלום ', '\u202e'],
    ['zero-width', 'ig', '\u200b'],
    ['zero-width', 'ig', '\u200d'],
    ['zero-width', 'i', '\u00ad'],
    ['zero-width', 'a ', '\u2063\u2062\u3164'],
    ['zero-width', 'a', '\ufeff'],
    ['control', 'a', '\u001b'],
    ['control', 'a', '\u0000'],
    ['private-use', 'a', '\ue049\ue067'],
    ['surrogate', 'a', '\ud83d'],
    ['noncharacter', 'a', '\ufffe\u{2ffff}'],
  ])('%s after %j', (kind, before, hidden) => {
    const text = `${before}${hidden}n o`;
    const end = before.length + hidden.length;
    expect(hiddenIn(text)).toEqual([{ start: before.length, end, class: kind }]);
  });

  test('of several classes in a row, one span each', () => {
    expect(hiddenIn('a\u200b\u200c\u202ab\u200b').map(({ start, end }) => [start, end])).toEqual([
      [1, 3],
      [3, 4],
      [5, 6],
    ]);
  });
});

describe('nothing is hidden', () => {
  test.each(Object.entries(udhr))('in the Universal Declaration, %s', (_, articles) => {
    for (const article of articles) expect(hiddenIn(article)).toEqual([]);
  });

  test.each([
    ['emoji', '👩‍👩‍👧 ❤️‍🔥 🏳️‍🌈 👍🏽 1️⃣ #️⃣ ☎︎ 👩🏿‍🚀 🧑‍🦰 ⛹🏻‍♀️ © ®️'],
    ['flags', '🇩🇪 🏴󠁧󠁢󠁥󠁮󠁧󠁿🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏴󠁧󠁢󠁷󠁬󠁳󠁿'],
    ['Persian', 'می‌خواهم کتاب‌ها را بخوانم، خانه‌ای'],
    ['Hindi', 'क्‍ष श्री‌मान् विद्‍या'],
    ['Malayalam', 'അവന്‍ പറഞ്ഞു'],
    ['Arabic', 'قال: \u200f(نعم)\u200e \u2067abc\u2069، \u202bنص\u202c'],
    ['Hebrew', '\u200fשלום (abc)\u200e'],
    ['Thai', 'ภาษา\u200bไทย'],
    ['Khmer', 'ភាសា\u200bខ្មែរ\u200b និង'],
    ['Mongolian', 'ᠮᠣᠩᠭᠣᠯ\u180b ᠪᠢᠴᠢᠭ\u180eᠡ'],
    ['variants of ideographs and of operators', '葛\u{e0100}城 ≨\ufe00 0\ufe00'],
    ['soft hyphens', 'Donau\u00addampf\u00adschiff, exam\u00ad\nple'],
    ['icons and bullets', '\uf0b7 first\n\uf0b7 second \uf005\uf005\uf005\uf005'],
    ['old Hangul', '\u1112\u119e\u11ab \u115f\u1161 \u1100\u1160'],
    ['a byte order mark', '\ufeffTitle'],
    ['white space', 'a\tb\r\nc\u000bd\u000ce\u0085f\u00a0g\u2003h\u2028i\u3000j'],
  ])('in %s', (_, text) => {
    expect(hiddenIn(text)).toEqual([]);
    expect(hiddenFlag(text)).toBeUndefined();
  });
});

describe('the alarm', () => {
  test('counts the characters, and names their classes', () => {
    expect(hiddenFlag(`😀${selectors(`${'a\n'.repeat(200)}`)}`)?.count).toBe(400);
    expect(hiddenFlag(`${tags('ab')}\u200b\u200c`)).toEqual({ count: 4, classes: ['tag', 'zero-width'] });
  });

  test.each([
    ['one override', 'invoice\u202eexe.pdf'],
    ['one tag', 'a\u{e0041}'],
    ['half a pair in the text', 'a\ud83d b'],
    ['a control sequence', 'a\u001b[2Jb'],
    ['two that differ in a row', 'a\u200b\u200cb'],
    ['a word that controls break up letter by letter', 'i\u0008g\u0008n\u0008o\u0008r\u0008e'],
    ['words that are broken up', 'ig\u200bnore in\u200bstruc\u200btions n\u200bow'],
    ['private use in a row', '\ue049\ue067\ue06e\ue06f\ue072\ue065\ue020\ue061'],
  ])('is raised by %s', (_, text) => {
    expect(hiddenFlag(text)).toBeDefined();
  });

  test.each([
    ['a zero-width space', 'a \u200bword'],
    ['coordinates of an encyclopaedia', 'N\ufeff / \ufeff51 N\ufeff / \ufeff6'],
    ['the same twice', 'welchem \u200b\u200bLand'],
    ['a text that was cut within an emoji', '\ude00 and \ud83d'],
    ['letters in a wrong encoding', 'can\u0092t, won\u0092t, don\u0092t, isn\u0092t, \u0093so\u0094'],
    [
      'damaged ligatures',
      'di\u0002erent su\u0002cient e\u0002ects o\u0002er tra\u0003c, sta\u0002, cli\u0002s and sni\u0002',
    ],
    ['symbols of a missing font', 'where \uf061\uf03d\uf062'],
  ])('is not raised by %s', (_, text) => {
    expect(hiddenIn(text).length).toBeGreaterThan(0);
    expect(hiddenFlag(text)).toBeUndefined();
  });
});

const suspects = fc.constantFrom(
  ...'\u0000\u001b\u00ad\u034f\u061c\u115f\u1160\u17b4\u180b\u180e\u200b\u200c\u200d\u200e\u202a\u202c\u202e\u2060\u2067\u2069\u3164\ufe00\ufe0f\ufeff\ufffe\ue001\ue002',
  ...['\u{e0041}', '\u{e007f}', '\u{e0101}', '\u{f0001}', '\ud83d', '\ude00', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '\u{e0067}'],
);
const plain = fc.constantFrom(
  ...[
    'a',
    'b',
    ' ',
    '\n',
    'م',
    'ک',
    'क',
    'ไ',
    '漢',
    '😀',
    '🏴',
    '♀',
    '👍🏽',
    '1',
    '\u20e3',
    'ᠮ',
    'ᄀ',
    'ᅡ',
    'ក',
    '≨',
    'ש',
  ],
);
const texts = fc.array(fc.oneof(suspects, plain), { maxLength: 24 }).map((parts) => parts.join(''));

describe('any text', () => {
  test('spans ascend, do not overlap, and are within the text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        let last = 0;
        for (const { start, end } of hiddenIn(text)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  test('removes all hidden characters, and nothing else', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(hiddenIn(withoutHidden(text))).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  test('a mark behind a soft hyphen is no white space, though it counts as such elsewhere', () => {
    expect(hiddenIn('a\u00ad\ufeffa')).toMatchObject([{ start: 1, end: 3 }]);
  });

  test('plain ASCII has nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        expect(hiddenIn(text)).toEqual([]);
      }),
    );
  });

  test('a long one of nothing else takes no longer for each of its characters', () => {
    for (const each of ['\u200d', '\u200e', '\ue001', '\ue001\ue002', '\u00ad', '\ufe0f', '\u{e0041}']) {
      const text = `א${each.repeat(30_000)}`;
      hiddenFlag(text);
    }
  });
});

/** A text that its words exclude has no hint. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mayHaveHint } from '../../../src/stages/flag/hint-words.js';
import { HINT, REPLY_HINT } from '../../../src/stages/flag/instructions.js';
import { Lexicon } from '../../../src/text/lexicon.js';

/** Each alternative of the hints, and its forms with another beginning or end. */
const alternatives = [HINT, REPLY_HINT].flatMap(({ source }) =>
  source
    .replace(/\\b|\(\?:to\|for\)|\[\^[^\]]*\]\{0,40\}|s\?/g, (part) => (part.startsWith('(') ? 'to' : ' '))
    .replace(/\(\?:([^)]*)\)/g, (_, words: string) => words.replaceAll('|', ' '))
    .split('|'),
);
const piece = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...alternatives) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...[' ', '. ', "'", '’', '_', '-', '\n', 'é', 'ß', 'ı', 'ſ', 'ﬁ', '橋', '😀', '\u0301', 'K', 'x', '1'],
      ...['the bridge', 'said', 'a'.repeat(1022), "a'".repeat(16), 'your final', 'output', 'AI'],
    ),
  },
  fc.string({ maxLength: 3 }),
);
const asWritten = fc.tuple(piece, fc.constantFrom('', ' '), fc.boolean());
const text = fc
  .array(asWritten, { maxLength: 6 })
  .map((parts) =>
    parts.map(([each, space, isUpper]) => (isUpper ? each.toUpperCase() : each) + space).join(''),
  );

test('every alternative of the hints needs one of the words', () => {
  let hints = 0;
  let none = 0;
  fc.assert(
    fc.property(text, (each) => {
      const mayHave = mayHaveHint(each, new Lexicon());
      if (HINT.test(each) || REPLY_HINT.test(each)) {
        hints++;
        expect(mayHave).toBe(true);
      } else if (!mayHave) none++;
    }),
    { numRuns: 5000, seed: 1 },
  );
  expect(hints).toBeGreaterThan(1000);
  expect(none).toBeGreaterThan(300);
});

test('each alternative is recognised by itself', () => {
  for (const each of alternatives)
    expect([each, mayHaveHint(`${each} `, new Lexicon())]).toEqual([each, true]);
});

test('a text with none of the words is not searched', () => {
  expect(mayHaveHint('The bridge was opened in 1932, as the minister said.', new Lexicon())).toBe(false);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutToFit } from '../../../src/text/cut.js';
import { contentWords } from '../../../src/text/function-words.js';
import { stem } from '../../../src/text/stem.js';
import { TermIndex } from '../../../src/text/term-index.js';
import { wordsOf } from '../../../src/text/words.js';

const word = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const texts = fc.array(fc.array(word, { maxLength: 12 }), { minLength: 1, maxLength: 10 });

/** As far apart as in a vocabulary that has seen other texts. */
const numberOf = (term: string) => 7 * term.charCodeAt(0);

function indexOf(pool: readonly (readonly string[])[]): TermIndex {
  const numbers = pool.map((text) => Int32Array.from(text, numberOf));
  return new TermIndex(numbers, 1000);
}

describe('term index', () => {
  test('Jaccard counts terms of all texts, of most and of few', () => {
    const common = Array.from({ length: 40 }, (_, at) => at);
    const text = fc
      .tuple(fc.subarray(common), fc.array(fc.integer({ min: 40, max: 99 }), { maxLength: 20 }))
      .map((parts) => Int32Array.from(parts.flat()));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), (pool) => {
        const index = new TermIndex(pool, 100);
        for (const [i, a] of pool.entries()) {
          const expected = pool.map((b) => {
            const shared = [...new Set(a)].filter((each) => b.includes(each)).length;
            return shared === 0 ? 0 : shared / new Set([...a, ...b]).size;
          });
          expect(Array.from(index.jaccard(i))).toEqual(expected);
        }
      }),
      { numRuns: 200, seed: 5 },
    );
  });

  test('TF-IDF cosine is what its formula says', () => {
    fc.assert(
      fc.property(texts, (pool) => {
        const terms = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
        const weights = pool.map((text) =>
          terms.map((term) => {
            const df = pool.filter((other) => other.includes(term)).length;
            return text.filter((each) => each === term).length * (Math.log((1 + pool.length) / (1 + df)) + 1);
          }),
        );
        const inner = (a: number[], b: number[]) => a.reduce((sum, each, i) => sum + each * b[i]!, 0);
        const index = indexOf(pool);
        for (const [i, a] of weights.entries()) {
          const behind = weights.slice(i + 1);
          const expected = behind.map((b) => inner(a, b) / Math.sqrt(inner(a, a) * inner(b, b)) || 0);
          expect(Array.from(index.tfidfCosines(i).subarray(i + 1))).toEqual(
            expected.map((value) => expect.closeTo(value, 10)),
          );
        }
      }),
      { numRuns: 300, seed: 3 },
    );
  });

  test('texts without terms are fine', () => {
    expect(indexOf([]).size).toBe(0);
    expect(Array.from(indexOf([[], []]).jaccard(0))).toEqual([0, 0]);
    expect(Array.from(indexOf([[], ['a']]).tfidfCosines(0))).toEqual([0, 0]);
  });
});

describe('words', () => {
  test.each([
    ['Don’t stop: e-mail ME!', ["don't", 'stop', 'e', 'mail', 'me']],
    ['snake_case camelCase v1.2', ['snake_case', 'camelcase', 'v1', '2']],
    ['café CAFÉ cafe\u0301', ['café', 'café', 'café']],
    ['橋は開通した', ['橋', 'は', '開通', 'した']],
    ['ＡＢＣ　１２', ['abc', '12']],
    ['東京tower 2026年', ['東京', 'tower', '2026', '年']],
    ['يبلغ طول', ['يبلغ', 'طول']],
    ['… — !', []],
  ])('of %j', (text, expected) => {
    expect(wordsOf(text)).toEqual(expected);
  });

  test('stems are of English words alone', () => {
    expect(['running', 'bridges', "bridge's", 'Straße', 'москве', 'b12'].map(stem)).toEqual([
      'run',
      'bridg',
      'bridg',
      'Straße',
      'москве',
      'b12',
    ]);
  });

  test('a question keeps its content, and all its words if it has no other', () => {
    expect(contentWords(['how', 'do', 'i', 'open', 'the', 'bridge'])).toEqual(['open', 'bridge']);
    expect(contentWords(['who', 'are', 'you'])).toEqual(['who', 'are', 'you']);
  });
});

describe('cutting', () => {
  const words = (text: string) => text.split(/\s+/).filter(Boolean).length;

  test('gives the longest beginning of whole sentences that fits', () => {
    const text = 'One two. Three four five!\nSix?';
    expect([0, 1, 2, 4, 5, 6].map((room) => cutToFit(text, room, words))).toEqual([
      undefined,
      { start: 0, end: 3 },
      { start: 0, end: 8 },
      { start: 0, end: 8 },
      { start: 0, end: 25 },
      { start: 0, end: text.length },
    ]);
  });

  test('a sentence or a word may be longer than the windows that a text is segmented in', () => {
    const sentence = `${'word '.repeat(5000)}end. `;
    expect(cutToFit(`${sentence}Another one.`, 5001, words)).toEqual({ start: 0, end: sentence.length - 1 });
    const long = 'a'.repeat(3000);
    expect(cutToFit(`${long} b c`, 3002, (text) => text.length)).toEqual({ start: 0, end: 3002 });
    expect(cutToFit(`${long} b c`, 2999, (text) => text.length)).toBeUndefined();
  });

  test('windows make no difference to where words end', () => {
    const text = "I can't say 3.14 of Zoë's résumé, and it isn't U.S. law: ".repeat(60).trim();
    const all = Array.from(new Intl.Segmenter('und', { granularity: 'word' }).segment(text));
    for (const { index, segment } of all) {
      const end = text.slice(0, index + segment.length).trimEnd().length;
      expect(cutToFit(text, end, (piece) => piece.length)?.end).toBe(end);
    }
  });

  test('the piece of any text is verbatim, fits, and splits no character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 80 }),
        fc.integer({ min: 0, max: 60 }),
        (text, room) => {
          const bytes = (piece: string) => Buffer.byteLength(piece);
          const excerpt = cutToFit(text, room, bytes);
          if (excerpt === undefined) return;
          const piece = text.slice(excerpt.start, excerpt.end);
          expect(bytes(piece)).toBeLessThanOrEqual(room);
          expect(piece).toBe(piece.trim());
          expect(Buffer.from(piece).toString()).toBe(piece);
        },
      ),
      { numRuns: 1000, seed: 5 },
    );
  });
});

test('two texts share the distinct terms that both have', () => {
  fc.assert(
    fc.property(texts, (pool) => {
      const index = indexOf(pool);
      for (const [i, a] of pool.entries()) {
        for (const [j, b] of pool.entries()) {
          expect(index.sharedBy(i, j)).toBe([...new Set(a)].filter((each) => b.includes(each)).length);
        }
      }
    }),
    { numRuns: 200, seed: 3 },
  );
});

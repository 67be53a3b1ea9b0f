import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Bm25 } from './bm25.js';

const word = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const texts = fc.array(fc.array(word, { maxLength: 12 }), { maxLength: 10 });

test('BM25 is what its formula says', () => {
  fc.assert(
    fc.property(texts, fc.array(word, { maxLength: 5 }), (pool, query) => {
      const average = pool.reduce((sum, text) => sum + text.length, 0) / pool.length;
      const expected = pool.map((text) =>
        [...new Set(query)].reduce((sum, term) => {
          const df = pool.filter((other) => other.includes(term)).length;
          const tf = text.filter((each) => each === term).length;
          const idf = Math.log(1 + (pool.length - df + 0.5) / (df + 0.5));
          return tf === 0
            ? sum
            : sum + (idf * tf * 2.2) / (tf + 1.2 * (0.25 + (0.75 * text.length) / average));
        }, 0),
      );
      expect(Array.from(new Bm25(pool).scores(query))).toEqual(
        expected.map((value) => expect.closeTo(value, 10)),
      );
    }),
    { numRuns: 500, seed: 1 },
  );
});

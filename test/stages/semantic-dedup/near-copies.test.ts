import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PipelineInput } from '../../../src/pipeline.js';
import { nearCopies } from '../../../src/stages/semantic-dedup/near-copies.js';
import { Lexicon } from '../../../src/text/lexicon.js';
import type { Candidate } from '../../../src/types.js';

const poolOf = (texts: readonly string[]) =>
  texts.map((text, index) => ({ index, text, namespace: index % 5 === 4 ? 'other' : '' }) as Candidate);

const NAMES = Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => `w${letter}rt`);
/** Some words are in most texts, some in few. */
const word = fc.tuple(fc.nat(25), fc.nat(25)).map(([a, b]) => NAMES[Math.min(a, b)] as string);
const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(' '));

test.each([0.02, 0.06, 0.3, 0.49, 0.5, 0.8])(
  'the lists of rare words miss no near text, at a distance of %d',
  (maxDistance) => {
    const least = Math.min(1 - maxDistance - 0.5, 0.44) - 1e-9;
    let pairs = 0;
    fc.assert(
      fc.property(fc.array(text, { minLength: 2, maxLength: 16 }), (texts) => {
        const candidates = poolOf(texts);
        const copies = nearCopies(candidates, maxDistance, { lexicon: new Lexicon() } as PipelineInput);
        const sets = texts.map((each) => new Set(each.split(' ').filter((part) => part !== '')));
        for (const [place, own] of sets.entries()) {
          const expected = sets.slice(0, place).flatMap((other, at) => {
            const shared = [...own].filter((each) => other.has(each)).length;
            const similarity = shared === 0 ? 0 : shared / (own.size + other.size - shared);
            const isNear = similarity >= least && candidates[at]?.namespace === candidates[place]?.namespace;
            return isNear ? [at] : [];
          });
          expect(copies.near(place).map((each) => each.place)).toEqual(expected);
          copies.add(place);
          pairs += expected.length;
        }
      }),
      { numRuns: 200, seed: 1 },
    );
    expect(pairs).toBeGreaterThan(50);
  },
);

test('a text among thousands of its near-copies is compared with a bounded number of them', () => {
  const COUNT = 3000;
  const texts = Array.from({ length: COUNT }, (_, at) => `${NAMES.slice(0, 20).join(' ')} own${at}`);
  const candidates = poolOf(texts);
  const copies = nearCopies(candidates, 0.06, { lexicon: new Lexicon() } as PipelineInput);
  let read = 0;
  const counted = new Proxy(candidates, {
    get: (all, key) => {
      if (typeof key === 'string' && /^\d+$/.test(key)) read++;
      return Reflect.get(all, key);
    },
  });
  const counting = nearCopies(counted, 0.06, { lexicon: new Lexicon() } as PipelineInput);
  for (let place = 0; place < COUNT; place++) {
    copies.add(place);
    counting.add(place);
  }
  read = 0;
  counting.near(COUNT - 1);
  expect(read).toBeLessThan(1200);
  // It has the nearest of those that come first.
  expect(copies.near(COUNT - 1)).toHaveLength(16);
});

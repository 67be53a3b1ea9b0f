import { createShaper } from 'context-shaping';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FEATURES } from '../../../src/input/options.js';
import { logistic } from '../../../src/math/logprobs.js';
import { LEXICAL, lexicalFeatures } from '../../../src/relevance/features.js';
import { type Passage, questionOf, titleTerms } from '../../../src/relevance/passage.js';
import { Lexicon } from '../../../src/text/lexicon.js';
import { text } from '../../support.js';
import { document } from '../../text/documents.js';

const QUESTIONS = [
  '',
  ' ?!',
  'When was the bridge opened?',
  'How many did you, Ann, say I have?',
  'Who opened it on 8 May 2023, in May, in 2022 or two weeks ago?',
  '橋は何年に開通しましたか',
  'OK',
];
const question = fc.oneof(fc.constantFrom(...QUESTIONS), text, document);

interface Raw {
  text: string;
  title?: string | undefined;
  speaker?: string | undefined;
  source?: string | undefined;
  position?: number | undefined;
  date?: string | undefined;
}

const maybe = <T>(...values: T[]) => fc.constantFrom(undefined, ...values);
const raw: fc.Arbitrary<Raw> = fc.record({
  text: fc.oneof(text, document, fc.string({ unit: 'binary', maxLength: 30 })),
  title: maybe('The bridge', '', '(1932)', '橋', 'OK'),
  speaker: maybe('ann', 'user', 'assistant', '橋'),
  source: maybe('a', 'b', ''),
  position: maybe(0, 1, 2, 2.5, -1e300),
  date: maybe('2023-05-10T01:02:03Z', '1:56 pm on 8 May, 2023', '2022', '31 June 2023', '9e999', ''),
});

const passagesOf = (pool: readonly Raw[], lexicon: Lexicon): Passage[] =>
  pool.map(({ title, ...rest }) => ({
    ...rest,
    title: titleTerms(title, lexicon),
    terms: lexicon.searchTerms(rest.text),
  }));

function featuresOf(asked: string, pool: readonly Raw[]): Record<string, number[]> {
  const lexicon = new Lexicon();
  const found = lexicalFeatures(questionOf(asked, lexicon), passagesOf(pool, lexicon), lexicon);
  return Object.fromEntries(Object.entries(found).map(([name, values]) => [name, Array.from(values)]));
}

/** One value for each passage; the best is 1, but of `coverage`, which is a share of the question. */
function expectShares(name: string, values: readonly number[], size: number): void {
  expect(values).toHaveLength(size);
  for (const value of values) {
    expect(value).toBeGreaterThanOrEqual(0);
    expect(value).toBeLessThanOrEqual(1);
  }
  if (name !== 'coverage') expect(Math.max(...values)).toBe(1);
}

describe('every feature', () => {
  test('is a share of the best for all texts; features that no text has are left out', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(question, fc.array(raw, { maxLength: 9 }), (asked, pool) => {
        for (const [name, values] of Object.entries(featuresOf(asked, pool))) {
          expectShares(name, values, pool.length);
          seen.add(name);
        }
      }),
      { numRuns: 2000, seed: 1 },
    );
    expect([...seen].toSorted()).toEqual([...LEXICAL].toSorted());
  });

  test('is the same when asked for alone', () => {
    fc.assert(
      fc.property(question, fc.array(raw, { maxLength: 6 }), (asked, pool) => {
        const all = featuresOf(asked, pool);
        for (const name of LEXICAL) {
          const lexicon = new Lexicon();
          const alone = lexicalFeatures(questionOf(asked, lexicon), passagesOf(pool, lexicon), lexicon, {
            names: [name],
          });
          expect(Array.from(alone[name] ?? [])).toEqual(all[name] ?? []);
          expect(Object.keys(alone).filter((each) => each !== name)).toEqual([]);
        }
      }),
      { numRuns: 200, seed: 3 },
    );
  });

  test('of nothing is nothing', () => {
    expect(featuresOf('bridge', [])).toEqual({});
    expect(featuresOf('', [{ text: 'bridge' }, { text: '' }])).toEqual({});
    expect(featuresOf('…!', [{ text: '…!' }])).toEqual({});
  });

  test('takes long texts: 1 MB of one word, in the question, the text and the title', () => {
    for (const piece of ['bridge ', 'ann? ', '橋', 'maxRetries ', '# ']) {
      const long = piece.repeat(1_000_000 / piece.length);
      const pool = [
        { text: long, title: 'bridge', source: 'a', position: 0, speaker: 'ann' },
        { text: 'A bridge', title: 'Ann', source: 'a', position: 1 },
        { text: 'Ann', title: 'ann '.repeat(1000), source: 'b', position: 1 },
      ];
      for (const asked of ['bridge ann', long]) {
        for (const [name, values] of Object.entries(featuresOf(asked, pool))) expectShares(name, values, 3);
      }
    }
  });
});

describe('the order of the passages', () => {
  /** Those that start from a first impression take the first of equally good passages. */
  const FROM_BEST = ['titleBridge'];

  test('does not matter', () => {
    fc.assert(
      fc.property(question, fc.array(raw, { maxLength: 8 }), fc.nat(), (asked, given, seed) => {
        // Two passages at one place are each other's: which of them a third is beside, nothing can tell.
        const pool = given.map((each, at) => ({ ...each, position: 2 * at + (each.position === 1 ? 1 : 0) }));
        const places = pool
          .map((_, at) => at)
          .toSorted((a, b) => (((a + 1) * (seed + 7)) % 11) - (((b + 1) * (seed + 7)) % 11));
        const one = featuresOf(asked, pool);
        const other = featuresOf(
          asked,
          places.map((at) => pool[at] as Raw),
        );
        for (const name of LEXICAL.filter((each) => !FROM_BEST.includes(each))) {
          expect(other[name]).toEqual(
            one[name] && places.map((at) => expect.closeTo((one[name] as number[])[at] as number, 9)),
          );
        }
      }),
      { numRuns: 1000, seed: 4 },
    );
  });

  test('nor to what starts from the best, where first impressions differ', () => {
    const texts = [
      'silver lake film odo',
      'silver silver on udo',
      'lake of ado and one more',
      'odo was here',
      'udo was there',
      'ado is away',
      'none of it',
    ];
    const pool = texts.map((each, at) => ({ text: each, title: ['', '', '', 'odo', 'udo', 'ado'][at] }));
    const one = featuresOf('silver lake', pool);
    const other = featuresOf('silver lake', pool.toReversed());
    for (const name of FROM_BEST) {
      expect(other[name]?.toReversed()).toEqual(one[name]?.map((value) => expect.closeTo(value, 9)));
      expect(one[name]?.filter((value) => value > 0).length).toBeGreaterThan(1);
    }
  });
});

describe('relevance', () => {
  const weights = fc.dictionary(fc.constantFrom(...FEATURES), fc.constantFrom(0, 0.5, 1, 1000));
  const pool = fc.array(
    fc.tuple(raw, fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }), { nil: undefined })),
    {
      maxLength: 6,
    },
  );

  test('is a probability for all weights, and its log-odds are the sum of the shares', async () => {
    let sums = 0;
    await fc.assert(
      fc.asyncProperty(question, pool, weights, async (query, given, over) => {
        const { report } = await createShaper({
          exactDedup: false,
          semanticDedup: false,
          relevance: { weights: over },
        }).shape({
          query,
          chunks: given.map(([{ text: own, ...metadata }, score], at) => ({
            id: `${at}`,
            text: own,
            score,
            metadata,
          })),
        });
        for (const { relevance, features } of report.kept) {
          if (features === undefined || relevance === undefined) continue;
          expect(relevance).toBeGreaterThanOrEqual(0);
          expect(relevance).toBeLessThanOrEqual(1);
          const logOdds = Object.values(features).reduce((sum, part) => sum + part, 0);
          expect(logistic(logOdds)).toBeCloseTo(relevance, 5);
          const { base: _, place: __, cosine: ___, ...words } = features;
          expect(Math.min(0, ...Object.values(words))).toBe(0);
          expect(
            Object.keys(features).filter((name) => over[name as (typeof FEATURES)[number]] === 0),
          ).toEqual([]);
          sums++;
        }
      }),
      { numRuns: 1000, seed: 5 },
    );
    expect(sums).toBeGreaterThan(1000);
  });
});

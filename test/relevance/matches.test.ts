import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Given, valuesOf } from './features.js';
import { bm25, coverage, phrase, proximity, type Said, shares, speaker } from './naive.js';

/** Words that are their own stems. */
const WORDS = ['zorp', 'blick', 'quon', 'dax', 'wug', 'fep', 'toma', 'anna', 'bert'];
const NAIVE = { bm25, coverage, phrase, proximity, speaker };

const words = fc.array(fc.constantFrom(...WORDS, 'xa', 'xb', 'xc', 'xd', 'xe'), {
  minLength: 1,
  maxLength: 30,
});
const writing = fc.array(fc.record({ words }), { minLength: 1, maxLength: 8 });
/** A talk of which two turns have no speaker. */
const talk = fc
  .array(fc.record({ words, speaker: fc.constantFrom('anna', 'bert', 'carl') }), { maxLength: 6 })
  .chain((turns) =>
    fc
      .tuple(words, words, words, words)
      .map(([first, second, third, fourth]): Said[] => [
        { words: first, speaker: 'bert' },
        { words: second },
        ...turns,
        { words: third },
        { words: fourth, speaker: 'carl' },
      ]),
  );

/** Speakers count in a talk: two or more of them, and at least half of the passages are said by one. */
function asTalk(pool: readonly Said[]): Said[] {
  const speakers = pool.flatMap(({ speaker }) => (speaker === undefined ? [] : [speaker]));
  const isTalk = new Set(speakers).size > 1 && 2 * speakers.length >= pool.length;
  return pool.map((said) => ({ ...said, speaker: isTalk ? said.speaker : undefined }));
}

describe('against the definitions', () => {
  test.each(Object.keys(NAIVE) as (keyof typeof NAIVE)[])('%s', async (feature) => {
    const question = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 });
    let matches = 0;
    await fc.assert(
      fc.asyncProperty(question, fc.oneof(writing, talk) as fc.Arbitrary<Said[]>, async (asked, pool) => {
        const given = pool.map(({ words, speaker }): Given => [words.join(' '), { speaker }]);
        const values = await valuesOf(feature, asked.join(' '), given);
        const naive = NAIVE[feature](asked, asTalk(pool));
        const expected = feature === 'coverage' ? naive : shares(naive);
        if (expected.every((value) => value === 0)) expect(new Set(values)).toEqual(new Set([undefined]));
        else {
          expect(values).toEqual(expected.map((value) => expect.closeTo(value, 10)));
          matches++;
        }
      }),
      { numRuns: 500, seed: 1 },
    );
    expect(matches).toBeGreaterThan(100);
  });
});

describe('coverage', () => {
  test('function words of the question are not asked for, unless there is nothing else', async () => {
    expect(await valuesOf('coverage', 'what is the dax', ['what is the wug', 'dax'])).toEqual([0, 1]);
    expect(await valuesOf('coverage', 'the who', ['a wug', 'The Who'])).toEqual([0, 1]);
  });
});

describe('phrase', () => {
  test('words in another order are none', async () => {
    expect(await valuesOf('phrase', 'red dax', ['dax red', 'a red dax', 'red. Dax!'])).toEqual([0, 1, 1]);
  });

  test('pairs of function words say nothing', async () => {
    expect(await valuesOf('phrase', 'where is the dax', ['where is the wug', 'the dax'])).toEqual([0, 1]);
  });
});

describe('title', () => {
  const query = 'Who directed Silver Lake?';

  test.each<[string, Given, number | undefined]>([
    ['of metadata', ['A film.', { title: 'Silver Lake' }], 1],
    ['in part', ['A film.', { title: 'Silver Lake Story of Old' }], 2 / 5],
    ['with its kind in brackets', ['A film.', { title: 'Silver Lake (1998 film)' }], 1],
    ['that is all brackets', ['A film.', { title: '(Silver)' }], 1],
    ['that is a heading', '# Silver Lake\nA film.', 1],
    ['that is a closed heading', '## Silver Lake ##\n\nA film.', 1],
    ['that is a line of its own', 'Silver Lake\nA film of that name.', 1],
    ['on a line that ends like a sentence', 'Silver Lake.\nA film.', undefined],
    ['with nothing under it', 'Silver Lake\n ', undefined],
    ['that metadata overrules', ['# Silver Lake\nA film.', { title: 'Gold' }], undefined],
    ['of another', ['Silver Lake is a film.', { title: 'Gold' }], undefined],
    ['that is no word', ['Silver Lake is a film.', { title: '…' }], undefined],
  ])('%s', async (_, given, share) => {
    const [value, best] = await valuesOf('title', query, [given, ['It is.', { title: 'Lake' }]]);
    expect([value, best]).toEqual([share === undefined ? 0 : expect.closeTo(share, 12), 1]);
  });

  test.each([' ', '\n', '\t', '#', '(', '()', '( )', 'a', 'a ', '\r\n', '。'])(
    '1 MB of %j is a title, and before one',
    async (piece) => {
      const long = piece.repeat(1_000_000 / piece.length);
      const values = await valuesOf('title', 'Silver Lake', [
        ['It is.', { title: `Gold${long}!` }],
        long,
        `Gold${long}!`,
        '\n \nSilver Lake\n\n \n\nIt is.',
      ]);
      expect(values).toEqual([0, 0, 0, 1]);
    },
  );

  test('of metadata is a part of the text, unless the text begins with it', async () => {
    const title = 'Silver Lake';
    const [added, there, none] = await valuesOf('coverage', 'silver', [
      ['A film.', { title }],
      ['  Silver Lake is a film.', { title }],
      'A film.',
    ]);
    expect([added, there, none]).toEqual([1, 1, 0]);
    const [once, twice] = await valuesOf('bm25', 'silver', [
      ['Silver Lake is one film', { title }],
      ['Lake of Silver in a film', { title }],
    ]);
    expect(once).toBeLessThan(twice as number);
  });
});

describe('dates', () => {
  test.each([
    ['date', 'When did it open?', 'It opened in May.'],
    ['date', 'What day is it?', 'It is on Tuesday.'],
    ['date', 'How long ago was it?', 'Three years ago.'],
    ['date', 'when was it', 'on 4/5/2023'],
    ['date', 'When did you go?', 'I went last week.'],
    ['date', 'When is it?', 'At 5 pm'],
    ['date', 'When was it?', 'in the 1990s'],
  ] as const)('%s: %j expects one like %j', async (feature, query, text) => {
    expect(await valuesOf(feature, query, ['It is there and goes on.', text])).toEqual([0, 1]);
  });

  test.each([
    ['date', 'Who opened it?', 'It opened in May 1932.'],
    ['date', 'When did it open?', 'The mayor of Augusta opened it, and 12 came.'],
    ['date', 'Whenever it was', 'It opened in 1932.'],
  ] as const)('%s: %j does not expect %j', async (feature, query, text) => {
    expect(await valuesOf(feature, query, ['It is there and goes on.', text])).toEqual([
      undefined,
      undefined,
    ]);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { support, supportFeatures } from '../../src/relevance/support.js';
import { SUPPORT } from '../../src/relevance/support-coefficients.js';
import { SUPPORT_THRESHOLDS } from '../../src/relevance/support-thresholds.js';
import { Lexicon } from '../../src/text/lexicon.js';
import { cpuMilliseconds } from '../time.js';

/** Words that are their own stems. */
const WORDS = ['zorp', 'blick', 'quon', 'dax', 'wug', 'fep', 'toma'];
const sentence = (maxLength: number) =>
  fc
    .array(fc.constantFrom(...WORDS, 'xa', 'xb', 'xc'), { minLength: 1, maxLength })
    .map((words) => words.join(' '));
const pool = fc.array(fc.oneof(sentence(40), fc.constantFrom('', ' \n')), { minLength: 1, maxLength: 8 });

const alone = (query: string, text: string) => support(query, [text])[0] as number;
const verdict = (query: string, texts: readonly string[]) => {
  const best = Math.max(...support(query, texts));
  if (best >= SUPPORT_THRESHOLDS.upper) return 'correct';
  return best < SUPPORT_THRESHOLDS.lower ? 'incorrect' : 'ambiguous';
};

test('what was learned: finite, no weight below 0, improbable without a word in common', () => {
  for (const weight of Object.values(SUPPORT.weights)) expect(weight).toBeGreaterThanOrEqual(0);
  expect(Object.values(SUPPORT.weights).every(Number.isFinite)).toBe(true);
  expect(SUPPORT.bias).toBeLessThan(0);
  const { lower, upper } = SUPPORT_THRESHOLDS;
  expect(lower).toBeGreaterThan(0);
  expect(upper).toBeGreaterThan(lower);
  expect(upper).toBeLessThan(1);
});

describe('what is judged', () => {
  test.each([
    ['What is the capital of France?', 'Paris is the capital of France.', 'Bananas are yellow.'],
    [
      'When was the Eiffel Tower completed?',
      'The Eiffel Tower was completed on 31 March 1889.',
      'Boil water for tea.',
    ],
    ['max retries in the config', 'Set `maxRetries` in the config to 3.', 'Our office is in Leith.'],
    ['Wie hoch ist die Zugspitze?', 'Die Zugspitze ist 2962 m hoch.', 'Der Watzmann ist ein Berg in Bayern.'],
    ['東京タワーの高さは？', '東京タワーの高さは333メートルです。', '大阪城は大阪にある。'],
    ['Paris', 'Paris is a city.', 'London is a city.'],
  ])('%s', (query, right, wrong) => {
    expect(verdict(query, [wrong, right])).toBe('correct');
    expect(verdict(query, [wrong])).toBe('incorrect');
    expect(verdict(query, [right])).toBe('correct');
  });

  test('a pool in which every text is of the subject is no reason to think less of the one that answers', () => {
    const query = 'When was the Eiffel Tower completed?';
    const right = 'The Eiffel Tower was completed in 1889.';
    const others = Array.from(
      { length: 30 },
      (_, at) => `The Eiffel Tower, part ${at}: its lifts and its paint.`,
    );
    expect(support(query, [...others, right]).at(-1)).toBeGreaterThan(0.9);
  });

  test('a date or number counts where the question asks for one, and only there', () => {
    const texts = ['The tower opened in May 1889, with 3 lifts.', 'The tower opened in Leith.'];
    const of = (query: string, feature: 'date' | 'number') => [
      ...(supportFeatures(query, texts, new Lexicon())?.[feature] ?? []),
    ];
    expect(of('when was the tower opened', 'date')).toEqual([1, 0]);
    expect(of('who opened the tower', 'date')).toEqual([1, 1]);
    expect(of('how many lifts has the tower', 'number')).toEqual([1, 0]);
    expect(of('who opened the tower', 'number')).toEqual([1, 1]);
    expect(alone('when was the tower opened', texts[0] as string)).toBeGreaterThan(
      alone('when was the tower opened', texts[1] as string),
    );
  });

  test('two shared words are less to go by than six', () => {
    expect(alone('zorp dax', 'zorp dax')).toBeLessThan(
      alone('zorp dax wug fep toma quon', 'zorp dax wug fep toma quon'),
    );
  });
});

describe('without anything to go by', () => {
  test('a blank text answers nothing', () => {
    expect(support('zorp', ['', ' \n\t', 'zorp'])).toEqual([0, 0, expect.closeTo(1, 0)]);
  });

  test('a question without words is answered by nothing', () => {
    for (const query of ['', ' \n', '?!']) expect(support(query, ['zorp', ''])).toEqual([0, 0]);
  });

  test('no texts', () => {
    expect(support('zorp', [])).toEqual([]);
  });
});

describe('always', () => {
  test('0..1, whatever is written', () => {
    const any = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), sentence(10));
    fc.assert(
      fc.property(any, fc.array(any, { maxLength: 5 }), (query, texts) => {
        const values = support(query, texts);
        expect(values).toHaveLength(texts.length);
        for (const value of values) expect(value >= 0 && value <= 1).toBe(true);
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  test('features are shares', () => {
    fc.assert(
      fc.property(sentence(8), pool, (query, texts) => {
        for (const values of Object.values(supportFeatures(query, texts, new Lexicon()) ?? {})) {
          expect(values.every((value) => value >= 0 && value <= 1)).toBe(true);
        }
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  test('the order of the texts is without influence', () => {
    fc.assert(
      fc.property(sentence(8), pool, (query, texts) => {
        expect(support(query, texts.toReversed())).toEqual(support(query, texts).toReversed());
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  test('a lexicon that has read other texts changes nothing', () => {
    const lexicon = new Lexicon();
    support('dax wug', ['zorp dax', 'wug'], lexicon);
    expect(support('zorp dax', ['zorp dax', 'wug'], lexicon)).toEqual(
      support('zorp dax', ['zorp dax', 'wug']),
    );
  });

  test('saying a word of the question that was missing never makes a text less probable', () => {
    fc.assert(
      fc.property(
        sentence(8),
        sentence(40),
        fc.array(sentence(40), { maxLength: 6 }),
        (query, text, others) => {
          const missing = query.split(' ').find((word) => !text.split(' ').includes(word));
          fc.pre(missing !== undefined);
          const before = support(query, [text, ...others])[0] as number;
          const after = support(query, [`${text} ${missing}`, ...others])[0] as number;
          expect(after).toBeGreaterThanOrEqual(before);
        },
      ),
      { numRuns: 2000, seed: 1 },
    );
  });
});

test.each([
  ['one word', 'a'],
  ['the same word', 'tower '],
  ['words of the question', 'tower paris '],
  ['stops', '.'],
  ['no spaces', '東京'],
  ['joined by marks', 'a-'],
  ['white space', '\n'],
])('megabytes take time in proportion: %s', async (_, piece) => {
  const hostile = piece.repeat(1_000_000 / piece.length);
  const read = () => support('When was the tower of Paris completed?', [hostile, 'The tower of Paris.']);
  expect(await cpuMilliseconds(read)).toBeLessThan(5000);
});

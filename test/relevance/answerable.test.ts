import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerableOf, supportFeatures } from '../../src/relevance/answerable.js';
import { ANSWERABLE_BOUNDS } from '../../src/relevance/answerable-bounds.js';
import { ANSWERABLE } from '../../src/relevance/answerable-coefficients.js';
import { type Passage, questionOf } from '../../src/relevance/passage.js';
import { support as supportOf } from '../../src/relevance/support.js';
import { Lexicon } from '../../src/text/lexicon.js';
import { cpuMilliseconds } from '../time.js';

/** Words that are their own stems. */
const WORDS = ['zorp', 'blick', 'quon', 'dax', 'wug', 'fep', 'toma'];
const sentence = (maxLength: number) =>
  fc
    .array(fc.constantFrom(...WORDS, 'xa', 'xb', 'xc'), { minLength: 1, maxLength })
    .map((words) => words.join(' '));
const pool = fc.array(fc.oneof(sentence(40), fc.constantFrom('', ' \n')), { minLength: 1, maxLength: 8 });

const support = (query: string, texts: readonly string[], lexicon = new Lexicon()) =>
  supportOf(
    query,
    texts.map((text) => ({ text })),
    lexicon,
  );

const passagesOf = (texts: readonly string[], lexicon: Lexicon, others: Partial<Passage> = {}) =>
  texts.map(
    (text): Passage => ({ text, title: new Int32Array(0), terms: lexicon.searchTerms(text), ...others }),
  );
function features(query: string, texts: readonly string[], others?: Partial<Passage>) {
  const lexicon = new Lexicon();
  const passages = passagesOf(texts, lexicon, others);
  return supportFeatures(questionOf(query, lexicon), passages, lexicon);
}
function answerable(
  query: string,
  texts: readonly string[],
  vectors?: { cosines: readonly number[]; trust: number },
) {
  const lexicon = new Lexicon();
  return answerableOf(questionOf(query, lexicon), passagesOf(texts, lexicon), lexicon, vectors);
}
const verdict = (query: string, texts: readonly string[]) => answerable(query, texts).verdict;

test('the learned weights are finite and not below 0, and the bias is negative', () => {
  for (const weight of Object.values(ANSWERABLE.weights)) expect(weight).toBeGreaterThanOrEqual(0);
  expect(Object.values(ANSWERABLE.weights).every(Number.isFinite)).toBe(true);
  expect(ANSWERABLE.bias).toBeLessThan(0);
  const { lower, upper } = ANSWERABLE_BOUNDS;
  expect(lower).toBeGreaterThan(0);
  expect(upper).toBeGreaterThan(lower);
  expect(upper).toBeLessThan(1);
});

describe('with vectors', () => {
  const texts = ['The bridge is old.', 'Cats sleep.', 'It rains.', 'We sail.', 'They read.', 'Nobody sings.'];
  const of = (cosines: readonly number[], trust = 1) =>
    answerable('Who built the bridge?', texts.slice(0, cosines.length), { cosines, trust }).probability;
  const byWords = answerable('Who built the bridge?', texts).probability;
  const lead = (best: number, scale = 1) =>
    [best, 0.3, 0.3, 0.3, 0.3, 0.1].map((each) => 1 - scale * (1 - each));

  test('the log-odds change by 4.4 t (lead − .36)', () => {
    const odds = (probability: number) => Math.log(probability / (1 - probability));
    for (const best of [0.9, 0.4]) {
      const change = 4.4 * ((best - 0.3) / 0.7 - 0.36);
      expect(odds(of(lead(best), 0.5)) - odds(byWords)).toBeCloseTo(0.5 * change, 6);
    }
  });

  test('a model that puts all texts close together changes nothing', () => {
    expect(of(lead(0.8, 0.2))).toBeCloseTo(of(lead(0.8)), 10);
  });

  test('vectors without trust and fewer than five vectors do not count, and blank texts do not answer', () => {
    expect(of(lead(0.9), 0)).toBeCloseTo(byWords, 10);
    expect(of([0.9, 0.1, 0.1, 0.1])).toBe(answerable('Who built the bridge?', texts.slice(0, 4)).probability);
    const blank = answerable('Who?', ['', ' ', '', '', ''], { cosines: lead(0.9).slice(0, 5), trust: 1 });
    expect(blank.probability).toBe(0);
  });
});

describe('the texts that it judges', () => {
  test.each([
    ['What is the capital of France?', 'Paris is the capital of France.', 'Bananas are yellow.'],
    [
      'When was the Eiffel Tower completed?',
      'The Eiffel Tower was completed on 31 March 1889.',
      'Boil water for tea.',
    ],
    [
      'max retries in the config of the HTTP client',
      'Set `maxRetries` in the config of the HTTP client to 3.',
      'Our office is in Leith.',
    ],
    [
      'Wie hoch ist die Zugspitze in Bayern?',
      'Die Zugspitze in Bayern ist 2962 m hoch.',
      'Berlin liegt an der Spree.',
    ],
    ['東京タワーの高さは？', '東京タワーの高さは333メートルです。', '大阪城は大阪にある。'],
  ])('%s', (query, right, wrong) => {
    expect(verdict(query, [wrong, right])).toBe('likely');
    expect(verdict(query, [wrong])).toBe('unlikely');
  });

  test('a single word that a text has leaves open whether the text answers', () => {
    expect(verdict('Paris', ['Paris is a city.', 'London is a city.'])).toBe('unclear');
    expect(verdict('Paris', ['London is a city.'])).toBe('unlikely');
  });

  test('names, and all numbers of the question, are looked for', () => {
    const texts = ['Ada sold boats in 2019 and 2020.', 'Ada Byron sold boats in 2019.', 'Boats.'];
    const of = (query: string) => features(query, texts);
    expect(of('How did Ada Byron sell in 2019 and 2020?')).toMatchObject({
      names: Float64Array.of(0.5, 1, 0),
      numbers: Float64Array.of(1, 0, 0),
    });
    // The first word of a question says nothing by its capital.
    expect(of('Byron boats')?.names).toEqual(Float64Array.of(1, 1, 1));
    expect(of('boats')?.numbers).toEqual(Float64Array.of(1, 1, 1));
  });

  test('a title counts as part of its text', () => {
    const query = 'When was the harbour bridge opened?';
    const text = 'It was opened in 1932.';
    const [titled, untitled] = [{ text, title: 'Harbour bridge' }, { text }].map(
      (each) => supportOf(query, [each])[0] as number,
    ) as [number, number];
    expect(titled).toBeGreaterThan(untitled + 0.2);
  });

  test('a turn has the name of its speaker, if the question names the speaker', () => {
    const texts = ['I bought a red boat.'];
    expect(features('What did Ada buy?', texts, { speaker: 'ada' })?.names).toEqual(Float64Array.of(1));
    expect(features('What did Ada buy?', texts, { speaker: 'ben' })?.names).toEqual(Float64Array.of(0));
    // The lengths of turns are not compared within their speakers.
    expect(features('red boat', texts, { speaker: 'user' })).toEqual(features('red boat', texts));
  });

  test('a pool in which every text is of the subject is no reason to think less of the one that answers', () => {
    const query = 'When was the Eiffel Tower completed?';
    const right = 'The Eiffel Tower was completed in 1889.';
    const others = Array.from(
      { length: 30 },
      (_, at) => `The Eiffel Tower, part ${at}: its lifts and its paint.`,
    );
    expect(support(query, [...others, right]).at(-1)).toBeGreaterThan(ANSWERABLE_BOUNDS.upper);
  });

  test('a date counts if the question asks for one', () => {
    const texts = ['The tower opened in May 1889.', 'The tower opened in Leith.'];
    expect(features('when was the tower opened', texts)?.date).toEqual(Float64Array.of(1, 0));
    expect(features('who opened the tower', texts)?.date).toEqual(Float64Array.of(1, 1));
  });
});

describe('without anything to go by', () => {
  test('a blank text answers nothing', () => {
    expect(support('zorp', ['', ' \n\t', 'zorp'])).toEqual([0, 0, expect.closeTo(1, 0)]);
    expect(answerable('zorp', ['', ' \n'])).toEqual({ verdict: 'unlikely', probability: 0 });
  });

  test('a question without words is answered by nothing', () => {
    for (const query of ['', ' \n', '?!']) {
      expect(support(query, ['zorp', ''])).toEqual([0, 0]);
      expect(answerable(query, ['zorp', ''])).toEqual({ verdict: 'unclear', probability: 0.5 });
    }
  });

  test('no texts', () => {
    expect(support('zorp', [])).toEqual([]);
    expect(answerable('zorp', [])).toEqual({ verdict: 'unlikely', probability: 0 });
  });
});

describe('always', () => {
  test('0..1 for every text', () => {
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

  test('the order of the texts is without influence', () => {
    fc.assert(
      fc.property(sentence(8), pool, (query, texts) => {
        expect(support(query, texts.toReversed())).toEqual(support(query, texts).toReversed());
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  test('the probability of a pool is that of its best text', () => {
    fc.assert(
      fc.property(sentence(8), pool, (query, texts) => {
        expect(answerable(query, texts).probability).toBe(Math.max(...support(query, texts)));
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  test('texts without a word of the question do not change the verdict on the others', () => {
    const query = 'When was the Eiffel Tower completed?';
    const right = 'The Eiffel Tower was completed on 31 March 1889.';
    for (const more of [1, 20, 200]) {
      const others = Array.from({ length: more }, (_, at) => `xa ${at}`);
      expect(verdict(query, [right, ...others])).toBe('likely');
      expect(verdict(query, others)).toBe('unlikely');
    }
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

import { createShaper } from 'context-shaping';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compoundsOf } from '../../src/text/compounds.js';
import { contentWords } from '../../src/text/function-words.js';
import { gramsOf } from '../../src/text/grams.js';
import { Lexicon } from '../../src/text/lexicon.js';
import { runsOf } from '../../src/text/words.js';
import { chunksOf } from '../relevance/features.js';
import { bm25, shares } from '../relevance/naive.js';
import { weightsOf } from '../support.js';
import LANGUAGES from './fixtures/languages.json' with { type: 'json' };

type Weights = Record<string, number>;
const BOTH = weightsOf({ bm25: 1, grams: 0.5 });

/** The log-odds that features add to the relevance of each text, 0 where nothing matches. */
async function search(query: string, texts: readonly string[], weights: Weights = BOTH): Promise<number[]> {
  const { report } = await createShaper({
    ranked: false,
    annotate: false,
    exactDedup: false,
    semanticDedup: false,
    relevance: { weights },
    order: 'input',
  }).shape({ query, chunks: chunksOf(texts) });
  return report.kept.map(({ features = {} }) =>
    Object.entries(features).reduce((sum, [name, part]) => (name === 'base' ? sum : sum + part), 0),
  );
}

/** Places of the texts that match, best first, ties by place. */
async function found(query: string, texts: readonly string[]): Promise<number[]> {
  const scores = await search(query, texts);
  const places = [...scores.keys()].filter((place) => scores[place]! > 0);
  return places.sort((a, b) => scores[b]! - scores[a]! || a - b);
}

/** The place of the text that is better than all others; -1 if there is none. */
async function best(query: string, texts: readonly string[], weights?: Weights): Promise<number> {
  const scores = await search(query, texts, weights);
  const greatest = Math.max(...scores);
  return scores.indexOf(greatest) === scores.lastIndexOf(greatest) ? scores.indexOf(greatest) : -1;
}

describe('languages', () => {
  const all = Object.entries(
    LANGUAGES as unknown as Record<string, { passages: string[]; questions: [string, number][] }>,
  );
  const mixed = all.flatMap(([, { passages }]) => passages);

  const byGrams = weightsOf({ grams: 1 });

  test.each(all)('%s: another form of a word finds the passage', async (_, { passages, questions }) => {
    expect(passages.length).toBe(12);
    for (const [question, answer] of questions) {
      expect([question, await best(question, passages, byGrams)]).toEqual([question, answer]);
    }
  });

  test.each(all)('%s: the same among passages in all languages', async (_, { passages, questions }) => {
    const first = mixed.indexOf(passages[0] as string);
    for (const [question, answer] of questions) {
      expect([question, await best(question, mixed, byGrams)]).toEqual([question, first + answer]);
    }
  });

  /** The share of the questions whose answer comes first of its own language's passages. */
  async function answered(weights: Weights): Promise<number> {
    const asked = all.flatMap(([, { passages, questions }]) =>
      questions.map(async ([question, answer]) => (await best(question, passages, weights)) === answer),
    );
    return (await Promise.all(asked)).filter((isFirst) => isFirst).length / asked.length;
  }

  test('it takes the n-grams: by words alone many an answer does not come first', async () => {
    expect(await answered(weightsOf({ bm25: 1 }))).toBeLessThan(0.7);
  });

  test('other features do not drown them: as a rule the answer comes first by all together', async () => {
    expect(await answered({})).toBeGreaterThan(0.9);
  });

  test.each([
    ['Rontgen', 'Conrad Röntgen fand die Strahlen.'],
    ['Röntgen', 'Conrad Rontgen found the rays.'],
    ['Sao Paulo', 'São Paulo cresceu.'],
    ['Lodz', 'Fabryki Łodzi'],
    ['Malmo', 'Malmö och Lund'],
    ['Tromso', 'Tromsø ligger i nord.'],
    ['strasse', 'In der Straße'],
    ['elephant', 'An elehpant in the room'],
    ['kitchen light', 'The kichten lights are off.'],
    ['université', 'à l’université de Lyon'],
    ['كتاب', 'كِتَابٌ'],
    ['еще', 'ещё'],
    ['猫', '黒猫が寝ている。'],
  ])('%j finds %j', async (query, text) => {
    expect(await found(query, ['Nothing of the kind.', text])).toEqual([1]);
  });
});

describe('n-grams', () => {
  test.each([
    ['bridge', ['^bri', 'brid', 'ridg', 'idge', 'dge$']],
    ['at', ['^at$']],
    ['a', ['^a$']],
    ['größe', ['^gro', 'gros', 'ross', 'osse', 'sse$']],
    ['smørrebrød', gramsOf('smorrebrod')],
    ["l'eau", ['^l$', '^eau', 'eau$']],
    ['1932', ['1932']],
    ['홍수가', ['^홍', '홍수', '수가', '가$']],
    ['洪水は', ['洪水', '水は', '洪', '水']],
    ['สวนน้ำ', ['สวน', 'วนน', 'นน้', 'น้ำ']],
    ['ສວນ', ['ສວນ']],
    ['กก', ['กก']],
    ['橋', ['橋']],
  ])('of %j', (word, grams) => {
    expect(runsOf(word)).toHaveLength(1);
    expect(gramsOf(runsOf(word)[0] as string)).toEqual(grams);
  });

  test('a year is not nearly another', async () => {
    expect(await found('1932', ['It opened in 1933.', 'It opened in 1932.', 'Item 19325'])).toEqual([1]);
  });
});

describe('code, tables and JSON', () => {
  test.each([
    ['const maxRetries = 3', ['max', 'retries']],
    ['max_retries: 3', ['maxretries', 'max', 'retries']],
    ['MAX_RETRIES', ['maxretries', 'max', 'retries']],
    ['run --max-retries 3', ['max-retries', 'maxretries']],
    ['getUserByID2(x)', ['get', 'user', 'by', 'id']],
    ['new HTTPServer()', ['http', 'server']],
    ['foo.bar.baz()', ['foo.bar.baz']],
    ['since v1.2.3.', ['v1.2.3']],
    ['~1.2.3 || ^3.0', ['1.2.3', '~1.2.3', '3.0', '^3.0']],
    ['node >= 20, <5 and x->3', ['>=20', '<5']],
    ['a ~~1.2 b', ['1.2']],
    ['ERR_CONNECTION_REFUSED', ['errconnectionrefused', 'err', 'connection', 'refused']],
    ['user@example.com', ['user@example.com', 'example.com']],
    ['see src/text/words.ts', ['src/text/words.ts', 'words.ts']],
    ['https://example.com/a-b', ['https://example.com/a-b', 'example.com', 'a-b', 'ab']],
    ['C:\\temp\\log.txt', ['c:\\temp\\log.txt', 'log.txt']],
    ['{"maxRetries":3,"ttl":1}', ['max', 'retries']],
    ['| id | userName |', ['user', 'name']],
    ['a,b,c', []],
    ['1,000 of 12,345.6', ['1000', '12345.6']],
    ['3.5 mm on 2023-05-08 at 10:30', ['3.5', '2023-05-08', '10:30']],
    ['C++, C# and F#', ['c++', 'c#', 'f#']],
    ['7f3a9c21 and 550e8400-e29b', ['550e8400-e29b']],
    ['plain English words, and more. Größe', []],
  ])('besides its words, %j has %j', (text, compounds) => {
    expect(compoundsOf(text)).toEqual(compounds);
  });

  const texts = [
    'The retry policy is explained below.',
    'Set maxRetries to 5 in the client.',
    'Set max_retries to 5 in the client.',
    'Set maxDelay to 5 in the client.',
    'The most retries that max out the client.',
  ];
  test.each(['maxRetries', 'max_retries', 'max-retries', 'MAX_RETRIES', 'max retries'])(
    '%j finds the identifier however it is spelled',
    async (query) => {
      expect((await found(query, texts)).slice(0, 3).sort()).toEqual([1, 2, 4]);
    },
  );
  test.each([
    ['maxRetries', texts, 1],
    ['max_retries', texts, 2],
    ['--dry-run', ['A dry day. We run.', 'Use --dry-run to see.', 'Run it dry.'], 1],
    ['1.2.3', ['Version 1.3.2', 'Version 3.2.1', 'Version 1.2.3'], 2],
    ['words.ts', ['many words', 'src/text/words.ts', 'src/text/words.js'], 1],
    [
      'ERR_CONNECTION_REFUSED',
      ['The connection was refused.', 'ERR_CONNECTION_RESET', 'ERR_CONNECTION_REFUSED'],
      2,
    ],
    ['john@example.com', ['john@example.org', 'jane@example.com', 'john@example.com'], 2],
    ['1000', ['1,001 nights', '1,000 nights', '100 nights'], 1],
    ['C++', ['C is a language.', 'C# is a language.', 'C++ is a language.'], 2],
    ['7f3a9c21', ['commit 7f3a9c22', 'commit 7f3a9c21', 'commit 6f3a9c21'], 1],
  ])('%j finds itself first', async (query, pool, first) => {
    expect(await best(query, pool)).toBe(first);
  });
});

describe('scores', () => {
  // Not English: how rare words are is then known from the pool alone.
  const word = fc.constantFrom(
    'puente',
    'puentes',
    'maxRetries',
    'und',
    'Brücken',
    '1,000',
    '洪水',
    '다리',
    "l'eau",
  );
  const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '));
  const pool = fc.array(text, { minLength: 1, maxLength: 6 });

  const namesOf = (terms: (lexicon: Lexicon) => Int32Array): string[] => {
    const lexicon = new Lexicon();
    return Array.from(terms(lexicon), (term) => lexicon.vocabulary.wordOf(term));
  };

  test.each<[string, (text: string) => readonly string[], (query: string) => readonly string[]]>([
    [
      'bm25',
      (each) => namesOf((lexicon) => lexicon.searchTerms(each)),
      (query) => namesOf((lexicon) => lexicon.queryTerms(query)),
    ],
    [
      'grams',
      (each) => runsOf(each).flatMap(gramsOf),
      (query) => contentWords(runsOf(query)).flatMap(gramsOf),
    ],
  ])('%s: those of all terms of the texts', async (feature, termsOf, wantedOf) => {
    await fc.assert(
      fc.asyncProperty(pool, text, async (texts, query) => {
        const expected = shares(
          bm25(
            wantedOf(query),
            texts.map((each) => ({ words: termsOf(each) })),
          ),
        );
        expect(await search(query, texts, weightsOf({ [feature]: 1 }))).toEqual(
          expected.map((each) => expect.closeTo(each, 10)),
        );
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  test('nothing to search, or nothing to search for', async () => {
    expect(await search('bridge', [])).toEqual([]);
    expect(await search('', ['bridge', ''])).toEqual([0, 0]);
    expect(await search('… !', ['bridge', '… !'])).toEqual([0, 0]);
  });

  test('splitting a split text changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (given) => {
        const runs = runsOf(given);
        expect(runsOf(runs.join(' '))).toEqual(runs);
      }),
      { numRuns: 1000, seed: 3 },
    );
  });
});

/** Words of earlier turns that count with the query. */
import { createShaper, type Query } from 'context-shaping';
import { formatReport } from 'context-shaping/explain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reportSchema } from '../../scripts/report-schema.js';
import { carriedFrom } from '../../src/relevance/history.js';
import * as language from '../../src/text/background.js';
import { Lexicon } from '../../src/text/lexicon.js';
import { chunks, question } from '../pool.js';

type History = NonNullable<Query['history']>;

const user = (text: string) => ({ role: 'user' as const, text });
const assistant = (text: string) => ({ role: 'assistant' as const, text });

/** The carried words with their weights, as `word weight`. */
function carried(text: string, history: History, pool: readonly string[] = []): [string, number][] {
  const lexicon = new Lexicon();
  const passages = pool.map((each) => lexicon.searchTerms(each));
  const { words } = carriedFrom(history, text, passages, lexicon, language);
  return words.map(({ word, weight }) => [word, Math.round(weight * 1e6) / 1e6]);
}

const POOL = [
  { id: 'ferry', text: 'The ferry to Inverkeith takes forty minutes and costs nine pounds.' },
  { id: 'museum', text: 'The museum takes no cards. A ticket costs four pounds.' },
  { id: 'bees', text: 'A pot of honey costs six pounds at the market of the bee keepers.' },
];

async function orderOf(query: Query, pool = POOL): Promise<string[]> {
  const { chunks } = await createShaper().shape({ query, chunks: pool, ranked: false });
  const { report } = await createShaper({ order: 'relevance' }).shape({ query, chunks: pool, ranked: false });
  expect(chunks).toHaveLength(pool.length);
  return report.kept.map(({ id }) => id);
}

describe('weights, computed by hand', () => {
  // Names of places are in no list of common words, and so are as rare as can be: 1. All other words are function words.
  test('a rare word of the last question, after a question without words of its own', () => {
    // most · alone = .5 · .4
    expect(carried('And what is that?', [user('Where is Inverkeith?')])).toEqual([['inverkeith', 0.2]]);
  });

  test('an answer counts .4, and each earlier exchange .6', () => {
    const history = [
      user('Where is Abercorn?'),
      assistant('It is in Cramond.'),
      user('And where is Dalmeny?'),
      assistant('That is in Inverkeith.'),
    ];
    expect(carried('And what is that?', history)).toEqual([
      ['dalmeny', 0.2],
      ['abercorn', 0.12],
      ['inverkeith', 0.08],
      ['cramond', 0.048],
    ]);
  });

  test('rare words of the query close the conversation, unless it has one of them', () => {
    const text = 'Is it from Zeebrugge to Rosyth?';
    // Two rare words: .5 · .4 / (1 + (2 / 2)²).
    expect(carried(text, [user('Where is Inverkeith?')])).toEqual([['inverkeith', 0.1]]);
    expect(carried(text, [user('Where is Inverkeith, with Rosyth?')])).toEqual([['inverkeith', 0.5]]);
    // The answer belongs to the question before it.
    const asked = [user('Where is Inverkeith, with Rosyth?'), assistant('It is in Dalmeny.')];
    expect(carried(text, asked)).toEqual([
      ['inverkeith', 0.5],
      ['dalmeny', 0.2],
    ]);
  });

  test('a common word weighs the square of its bits over 12', () => {
    const bits = -Math.log2(language.shareOfTexts('museum'));
    expect(bits).toBeGreaterThan(0);
    const [[word, weight] = []] = carried('And what is that?', [user('Where is the museum?')]);
    expect(word).toBe('museum');
    expect(weight).toBeCloseTo(0.2 * (bits / 12) ** 2, 5);
  });

  test('of a word that was said twice, the greater weight counts', () => {
    const history = [user('Where is Inverkeith?'), user('What is Inverkeith?')];
    expect(carried('And what is that?', history)).toEqual([['inverkeith', 0.2]]);
  });

  test('words of the query and function words are not carried over', () => {
    expect(carried('Where is Inverkeith?', [user('Where is Inverkeith, and what is it?')])).toEqual([]);
  });

  test('in another language, the passages show which words are rare', () => {
    const pool = [
      'Die Fähre kostet neun Euro.',
      'Die Brücke kostet nichts.',
      'Die Insel ist klein.',
      'Die Post.',
    ];
    const words = new Map(carried('Und was kostet das?', [user('Wo fährt die Fähre ab?')], pool));
    expect(words.get('die')).toBeUndefined();
    expect(words.get('fähre')).toBeGreaterThan(0);
  });
});

describe('a query that continues a conversation', () => {
  const history = [
    user('Is there a ferry to Inverkeith?'),
    assistant('Yes, it sails twice a day from the old pier.'),
  ];

  test('finds what only an earlier turn names', async () => {
    const text = 'How much does it cost?';
    expect((await orderOf({ text, history }))[0]).toBe('ferry');
    const museum = [user('Do you know the museum?'), assistant('Yes, it is open on Sundays.')];
    expect((await orderOf({ text, history: museum }))[0]).toBe('museum');
  });

  test('does so in Chinese', async () => {
    const pool = [
      { id: 'ferry', text: '去长洲的渡轮票价是九元。' },
      { id: 'museum', text: '去博物馆的票价是四元。' },
    ];
    const about = (said: string) => ({ text: '票价是多少？', history: [user(said)] });
    expect((await orderOf(about('有去长洲的渡轮吗？'), pool))[0]).toBe('ferry');
    expect((await orderOf(about('博物馆在哪里？'), pool))[0]).toBe('museum');
  });

  test('the last turns count most: the order of the turns matters', async () => {
    const text = 'How much does it cost?';
    const pool = [
      { id: 'north', text: 'The ferry to Inverkeith costs nine pounds.' },
      { id: 'south', text: 'The ferry to Dalmeny costs four pounds.' },
    ];
    const both = [user('Where is Inverkeith?'), user('And where is Dalmeny?')];
    expect((await orderOf({ text, history: both }, pool))[0]).toBe('south');
    expect((await orderOf({ text, history: both.toReversed() }, pool))[0]).toBe('north');
  });

  test('cuts the texts to the words that it asks in context', async () => {
    const text =
      'The ferry to Inverkeith costs nine pounds. The museum costs four pounds. Honey costs six pounds.';
    const { chunks: cut } = await createShaper({ budget: { maxTokens: 12 } }).shape({
      query: { text: 'What does it cost?', history },
      chunks: [{ id: 'all', text }],
    });
    expect(cut[0]?.text).toBe('The ferry to Inverkeith costs nine pounds.');
  });

  test('a question about something else keeps its own answer', async () => {
    const text = 'What does a pot of honey cost at the market of the bee keepers?';
    expect((await orderOf({ text, history }))[0]).toBe('bees');
  });
});

describe('without a conversation', () => {
  test.each([
    ['empty', []],
    ['null', null],
    ['absent', undefined],
  ])('%s: the report is the same', async (_, history) => {
    const shape = (query: Query | string) =>
      createShaper({ budget: { maxTokens: 120 } }).shape({ query, chunks });
    const { report } = await shape({ text: question, history });
    expect(report.digest).toBe((await shape(question)).report.digest);
    expect(report.ranking).not.toHaveProperty('history');
  });

  test('a query without text continues nothing', async () => {
    const { report } = await createShaper().shape({
      query: { text: '', history: [user('ferry')] },
      chunks: POOL,
    });
    expect(report.ranking?.history).toEqual({ turns: 1, words: 0 });
  });
});

describe('the report', () => {
  const query = { text: 'How much does it cost?', history: [user('Is there a ferry to Inverkeith?')] };

  test('counts the words; only the option `preview` names them', async () => {
    const { report } = await createShaper().shape({ query, chunks: POOL });
    expect(report.ranking?.history).toEqual({ turns: 1, words: 2 });
    expect(JSON.stringify(report).toLowerCase()).not.toContain('inverkeith');
    const { report: told } = await createShaper({ preview: 20 }).shape({ query, chunks: POOL });
    expect(told.ranking?.history?.carried?.map(({ word }) => word)).toEqual(['ferry', 'inverkeith']);
    expect(() => reportSchema.parse(JSON.parse(JSON.stringify(told)))).not.toThrow();
    expect(formatReport(told)).toMatch(/Carried over from the conversation: ferry, inverkeith\n/);
  });
});

const words = fc.constantFrom(
  'ferry',
  'Inverkeith',
  'museum',
  'the',
  'how',
  'honey',
  'cost',
  'Fähre',
  '渡轮',
  'C++',
  '',
);
const text = fc.array(words, { maxLength: 12 }).map((all) => all.join(' '));
const turns = fc.array(fc.record({ role: fc.constantFrom('user' as const, 'assistant' as const), text }), {
  maxLength: 24,
});

describe('of any conversation', () => {
  test('weights are above 0 and at most a half, heaviest first, each word once, none of the query', () => {
    fc.assert(
      fc.property(text, turns, fc.array(text, { maxLength: 4 }), (asked, history, pool) => {
        const found = carried(asked, history, pool);
        expect(found.every(([, weight]) => weight > 0 && weight <= 0.5)).toBe(true);
        expect(found.map(([, weight]) => weight)).toEqual(
          found.map(([, weight]) => weight).sort((a, b) => b - a),
        );
        expect(new Set(found.map(([word]) => word)).size).toBe(found.length);
        for (const [word] of found) expect(asked.toLowerCase().split(' ')).not.toContain(word);
        expect(carried(asked, history, pool)).toEqual(found);
      }),
    );
  });

  test('turns before the last sixteen do not count', () => {
    fc.assert(
      fc.property(text, turns, (asked, history) => {
        expect(carried(asked, history)).toEqual(carried(asked, history.slice(-16)));
      }),
    );
  });

  test('a thousand long turns take no longer than a few', { timeout: 20_000 }, async () => {
    const long = Array.from({ length: 1000 }, (_, at) =>
      user(`Turn ${at}. ${`word${at} and Inverkeith${at} `.repeat(5000)}`),
    );
    const query = { text: 'How much does it cost?', history: long };
    const { report } = await createShaper().shape({ query, chunks: POOL });
    expect(report.ranking?.history?.turns).toBe(1000);
    expect(report.ranking?.history?.words).toBeLessThan(200);
    const started = performance.now();
    await createShaper().shape({ query, chunks: POOL });
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

import { expect, test } from 'vitest';
import { countTokensO200k as countTokens } from '../eval/tokens.js';
import { joined, measureSet, packed } from './measure.js';
import type { Given, Rival } from './rival.js';
import { loadRivals } from './rivals.js';
import type { ScoreCase } from './sets.js';
import { attributed, longest } from './truncation.js';

const chunks = ['The boat sank in May, off Leith.', 'Bees make honey.', 'The boat was red.'].map(
  (text, at) => ({
    id: `c${at}`,
    text,
  }),
);
const given: Given = {
  question: 'When did the boat sink?',
  chunks,
  text: chunks.map(({ text }) => text).join('\n\n'),
  seed: 1,
  countTokens,
};

test('texts are taken in the order of the rival, and one that does not fit leaves room for the next', () => {
  const [first, second, third] = chunks as [Given['chunks'][0], Given['chunks'][0], Given['chunks'][0]];
  const most = countTokens(second.text) + countTokens(third.text);
  expect(packed([second, first, third], most)).toEqual({ kept: [second, third], left: 0 });
  expect(packed([first], 1)).toEqual({ kept: [], left: 1 });
});

test('parts of one chunk are joined in its order, so that evidence may reach from one to the next', () => {
  const parts = ['off Leith.', 'The boat sank in May,'].map((text) => ({ id: 'c0', text }));
  expect(joined([...parts, { id: 'c1', text: 'honey' }], chunks)).toEqual([
    { id: 'c0', text: 'The boat sank in May, off Leith.' },
    { id: 'c1', text: 'honey' },
  ]);
});

test('a cut fits the budget and all but fills it; nothing is cut if everything fits', () => {
  const text = Array.from({ length: 400 }, (_, at) => `boat ${at} sails`).join('\n');
  for (const most of [10, 150, 999]) {
    const tokens = countTokens(longest(given, text.length, most, (size) => text.slice(0, size)));
    expect(tokens).toBeLessThanOrEqual(most);
    expect(tokens).toBeGreaterThanOrEqual(most - Math.max(1, most * 0.02));
  }
  expect(longest(given, text.length, 1_000_000, (size) => text.slice(0, size))).toBe(text);
});

test('a cut of passages is the part of each that it shows; a cut of a result is one text', () => {
  const cut = given.text.slice(0, given.text.indexOf('was red'));
  expect(attributed(given, `${cut.trim()} and so on`)).toEqual(chunks.slice(0, 2));
  const end = given.text.slice(given.text.indexOf('sank in May, off'));
  expect(attributed(given, end)).toEqual([{ id: 'c0', text: 'sank in May, off Leith.' }, ...chunks.slice(1)]);
  expect(attributed({ ...given, result: { content: given.text } }, cut)).toEqual([
    { id: 'result', text: cut },
  ]);
});

test('a rival is asked for each budget, but once if budgets mean nothing to it', async () => {
  const asked: number[] = [];
  const rival = (name: string, ignoresBudget?: true): Rival => ({
    name,
    ...(ignoresBudget && { ignoresBudget }),
    settings: { one: 1, two: 2 },
    select(_, maxTokens, setting) {
      asked.push(maxTokens);
      return setting === 1 ? chunks : [];
    },
  });
  const { question, text } = given;
  const share: ScoreCase['share'] = (kept) => kept.length / chunks.length;
  const cases = [{ question, chunks, text, group: 'a', share }];
  const set = { kind: 'talk', name: 'Boats' } as const;
  const { measured } = await measureSet(set, cases, [rival('budget'), rival('none', true)], undefined);
  expect(
    measured.map((each) => [each.rival, each.setting, each.kept.map(([value]) => (value as number) > 0)]),
  ).toEqual([
    ['budget', 'one', [true, false]],
    ['budget', 'two', [false, false]],
    ['none', 'one', [true, false]],
    ['none', 'two', [false, false]],
  ]);
  expect(asked).toHaveLength(6);
});

/** Stands where something is left out. */
const GAP = '…';

test('every rival that is here keeps words of its chunks and no others, within any budget', async () => {
  const vectors = {
    id: 'boats',
    embed: async (texts: readonly string[]) => texts.map((text) => [text.length, 1]),
  };
  const words = new Set(given.text.split(/\s+/));
  const rivals = (await loadRivals()).filter(({ missing }) => missing === undefined);
  expect(rivals.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['random', 'top-k', 'LC filter', 'ours']),
  );
  for (const rival of rivals)
    for (const options of Object.values(rival.settings ?? { '': undefined }))
      for (const most of [1, 9, 1000]) {
        const kept = await rival.select({ ...given, embedder: vectors }, most, options);
        const shown = kept.flatMap(({ text }) => text.split(/\s+/).filter((word) => word !== ''));
        if (most === 1000) expect(shown.length, rival.name).toBeGreaterThan(words.size / 2);
        expect(
          shown.filter((word) => word !== GAP && !given.text.includes(word)),
          rival.name,
        ).toEqual([]);
      }
});

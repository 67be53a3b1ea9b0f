/** The functions behind the inspector's views. */
import type { Conflict, ShapingReport } from 'context-shaping';
import { createShaper } from 'context-shaping';
import { conflictsInContext } from 'context-shaping/internal';
import { expect, test } from 'vitest';
import { chunks, question } from '../../../../../test/pool.js';
import { readRuns } from '../../../page/data.js';
import { rivalsOf } from '../../../page/model/conflicts.js';
import { effectOf } from '../../../page/model/effect.js';
import { splitAt } from '../../../page/model/marks.js';
import { newestWins } from '../../../page/model/newest.js';
import { partsOf, shortened, visible } from '../../../page/model/parts.js';
import { rangesOf, stopOf } from '../../../page/model/ranges.js';
import { rowsOf } from '../../../page/model/rows.js';

const texts = chunks.map(({ text }) => text);
const session = createShaper({ budget: { maxTokens: 160 } }).session({ query: question, chunks });
const report = async (overrides = {}): Promise<ShapingReport> => (await session.at(overrides)).report;

test('there is one row for each chunk, with its change against the recorded run', async () => {
  const [before, now] = [await report(), await report({ budget: { maxTokens: 90 } })];
  const rows = rowsOf(now, texts, { recorded: before });
  expect(rows.map(({ index }) => index).sort((a, b) => a - b)).toEqual([...chunks.keys()]);
  const { came, went, recut } = effectOf(before, now);
  expect(went.length).toBeGreaterThan(0);
  const changed = (change: string) => rows.filter((row) => row.change === change).map(({ index }) => index);
  for (const [change, entries] of Object.entries({ came, went, recut }))
    expect(new Set(changed(change))).toEqual(new Set(entries.map(({ index }) => index)));
});

test('a conflict is in the context if two of its sides are', async () => {
  const shaped = (await session.at({ budget: { maxTokens: null } })).report;
  const all = conflictsInContext(shaped);
  expect(all.length).toBeGreaterThan(0);
  expect(all).toEqual(shaped.conflicts);
  const [{ sides }] = all as [Conflict];
  const kept = shaped.kept.filter(({ index }) => sides[0]?.indices.includes(index) !== true);
  expect(conflictsInContext({ ...shaped, kept })).not.toContainEqual(all[0]);
  const [one, other] = sides.map(({ indices }) => indices) as [number[], number[]];
  expect(rivalsOf(one[0] as number, shaped.conflicts)).toEqual(expect.arrayContaining(other));
  expect(rivalsOf(-1, shaped.conflicts)).toEqual([]);
});

test('a long text is shortened, and kept parts behind a long cut part are seen', () => {
  const parts = partsOf(`${'x'.repeat(100_000)}KEPT`, [{ start: 100_000, end: 100_004 }]);
  const { parts: short, left } = shortened(parts, 800);
  expect(short.map(({ text }) => text).join('')).toContain('KEPT');
  expect(short.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(900);
  expect(left).toBe(100_004 - 104);
  expect(shortened([{ text: '\u{1f600}'.repeat(9), kept: true }], 5).parts[0]?.text).toBe(
    '\u{1f600}'.repeat(3),
  );
  expect(shortened(parts, 1e9)).toEqual({ parts, left: 0 });
});

test('hidden and direction characters are named; emoji and right-to-left text stay', () => {
  expect(visible('a\u200bb')).toEqual(['a', { codes: 'U+200B' }, 'b']);
  expect(visible('\u202eabc\u202c')).toEqual([{ codes: 'U+202E' }, 'abc', { codes: 'U+202C' }]);
  expect(visible('שלום 👩‍👩‍👧 ❤️')).toEqual(['שלום 👩‍👩‍👧 ❤️']);
  expect(visible(`a${'\u{e0041}'.repeat(20)}`)).toEqual([
    'a',
    { codes: `${'U+E0041 '.repeat(8)}and 12 more` },
  ]);
  expect(visible('')).toEqual([]);
});

test('marks are whole words in any case, and a mark has no meaning as a pattern', () => {
  expect(splitAt('30 days, 130 days', ['30'])).toEqual([
    { text: '30', isMarked: true },
    { text: ' days, 130 days', isMarked: false },
  ]);
  expect(splitAt('a+b A+B', ['a+b']).filter(({ isMarked }) => isMarked)).toHaveLength(2);
  expect(splitAt('text', [''])).toEqual([{ text: 'text', isMarked: false }]);
});

test('a run of version 1 is shown without its conflicts, which had another form', async () => {
  const recorded = await report();
  const older = { ids: ['a', 'b'], indices: [0, 1], kinds: ['number'], differences: [['1'], ['2']] };
  const data = {
    runs: [{ name: 'old', report: { ...recorded, conflicts: [older, ...recorded.conflicts] } }],
  };
  const page = { getElementById: () => ({ textContent: JSON.stringify(data) }) };
  const [run] = readRuns(page as unknown as Document);
  expect(run?.report.conflicts).toEqual(recorded.conflicts);
});

test('a cut statement is found in a text of several lines', () => {
  const marked = splitAt('Notes.\nIt opened on\n  4 May 1932, in rain.', ['… opened on 4 May 1932, …']);
  expect(marked.filter(({ isMarked }) => isMarked)).toEqual([
    { text: 'opened on\n  4 May 1932,', isMarked: true },
  ]);
});

test('one job runs at a time, and only the newest request waits', async () => {
  const seen: number[] = [];
  const ask = newestWins(async (request: number) => {
    seen.push(request);
    await Promise.resolve();
  });
  await Promise.all([1, 2, 3, 4].map(ask));
  expect(seen).toEqual([1, 4]);
  await ask(5);
  expect(seen).toEqual([1, 4, 5]);
});

test('a failed job does not stop the next', async () => {
  const ask = newestWins(async (fails: boolean) => {
    if (fails) throw new Error('failed');
  });
  await expect(ask(true)).rejects.toThrow('failed');
  await expect(ask(false)).resolves.toBeUndefined();
});

test('the sliders reach from the least value to no limit', async () => {
  const shaped = await report({ budget: { maxTokens: 160, reserve: 40 } });
  const { maxTokens, k, lambda } = rangesOf(shaped);
  expect(maxTokens.stops[0]).toBe(41);
  expect(maxTokens.stops.at(-1)).toBeGreaterThan(shaped.tokens.input + 40);
  expect([k.stops[0], k.stops.at(-1)]).toEqual([1, chunks.length + 1]);
  expect([lambda.stops[0], lambda.stops.at(-1)]).toEqual([0, 1]);
});

test('the stops of the budget ascend by 1 or 5 %, and each is its own nearest', async () => {
  const shaped = await report();
  for (const input of [0, 1, 19, 160, 8418, 1_000_000]) {
    const { maxTokens: range } = rangesOf({ ...shaped, tokens: { ...shaped.tokens, input } });
    const { stops } = range;
    for (const [at, stop] of stops.entries()) {
      expect(stopOf(range, stop)).toBe(at);
      const before = stops[at - 1] ?? 0;
      expect(stop).toBeGreaterThan(before);
      expect(stop).toBeLessThanOrEqual(Math.max(before + 1, Math.round(1.05 * before)));
    }
    expect(stops.length).toBeLessThan(300);
  }
});

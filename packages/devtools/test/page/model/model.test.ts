/** The functions behind the inspector's views. */
import type { Conflict, ShapingReport } from 'context-shaping';
import { createShaper } from 'context-shaping';
import { conflictsInContext } from 'context-shaping/internal';
import { expect, test } from 'vitest';
import { chunks, question } from '../../../../../test/pool.js';
import { readRuns } from '../../../page/data.js';
import { rivalsOf } from '../../../page/model/conflicts.js';
import { effectOf } from '../../../page/model/effect.js';
import { filtered, NO_FILTER } from '../../../page/model/filter.js';
import { reasonsOf, stepsOf } from '../../../page/model/flow.js';
import { piecesOf } from '../../../page/model/markdown.js';
import { splitAt } from '../../../page/model/marks.js';
import { newestWins } from '../../../page/model/newest.js';
import { openRun } from '../../../page/model/open.js';
import { firstWords, partsOf, shortened, visible } from '../../../page/model/parts.js';
import { rangesOf, stopOf } from '../../../page/model/ranges.js';
import { replacedBy, rowsOf } from '../../../page/model/rows.js';
import { sealed } from '../../../src/lockfile/record.js';
import { cut } from '../runs.js';

const texts = chunks.map(({ text }) => text);
const session = createShaper({ budget: { maxTokens: 160 } }).session({ query: question, chunks });
const report = async (overrides = {}): Promise<ShapingReport> => (await session.at(overrides)).report;

test('the flow loses as many chunks and tokens as the ledger', async () => {
  const shaped = await report();
  const steps = stepsOf(shaped);
  expect(steps.at(-1)?.tokens.after).toBe(shaped.tokens.output);
  expect(steps[0]?.tokens.before).toBe(shaped.tokens.input);
  for (const [at, step] of steps.entries()) {
    expect(step.tokens.after, step.name).toBe(steps[at + 1]?.tokens.before ?? shaped.tokens.output);
    const lost = shaped.evicted.filter(({ stage }) => stage === step.name).length;
    expect(step.chunks.before - step.chunks.after).toBe(lost);
  }
});

test('reasons are counted, and have the words of the report’s documents', async () => {
  const { evicted } = await report();
  const found = reasonsOf(evicted);
  expect(found.reduce((sum, each) => sum + each.chunks, 0)).toBe(evicted.length);
  expect(found.find(({ reason }) => reason === 'over-budget')?.meaning).toBe('No room was left for it.');
});

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

test('a copy leads to the chunk that stayed', async () => {
  const rows = rowsOf(await report(), texts);
  const copy = rows.find(({ eviction }) => eviction?.reason === 'exact-duplicate');
  expect(copy && replacedBy(copy, rows)?.outcome).toBeDefined();
  expect(copy && replacedBy(copy, rows)?.index).not.toBe(copy?.index);
});

test('search and filters all have to pass', async () => {
  const rows = rowsOf(await report(), texts);
  expect(filtered(rows, NO_FILTER)).toEqual(rows);
  const found = filtered(rows, { ...NO_FILTER, search: 'TOLL  northbound' });
  expect(found.length).toBeGreaterThan(0);
  expect(found.every(({ text }) => text?.includes('toll'))).toBe(true);
  const copies = filtered(rows, { ...NO_FILTER, reason: 'exact-duplicate' });
  expect(new Set(copies.flatMap(({ eviction }) => eviction?.reason ?? []))).toEqual(
    new Set(['exact-duplicate']),
  );
  expect(copies.filter(({ outcome }) => outcome !== 'gone')).toEqual(
    rows.filter(({ outcome }) => outcome !== 'gone'),
  );
  expect(filtered(rows, { ...NO_FILTER, search: 'no such words' })).toEqual([]);
  expect(filtered(rows, { ...NO_FILTER, reason: 'vetoed' })).toEqual(rows);
});

test('kept chunks come first, in the order of the result; of the others, the most relevant', async () => {
  const shaped = await report();
  const rows = rowsOf(shaped, texts);
  const gone = rows.slice(shaped.kept.length);
  expect(rows.slice(0, shaped.kept.length).map(({ index }) => index)).toEqual(
    shaped.kept.map(({ index }) => index),
  );
  const relevance = gone.map((row) => row.relevance ?? -1);
  expect(relevance).toEqual(relevance.toSorted((a, b) => b - a));
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

test('signs of Markdown are apart from their words, and nothing is lost; a preview has none', () => {
  const text = '## Retries\nWait **6 hours**, see `retry()`.\n#tag, 2 ** 3, a`b';
  const pieces = piecesOf(text);
  expect(pieces.map((each) => each.text).join('')).toBe(text);
  const told = pieces.flatMap(({ kind = '', text: words }) => (/strong|code/.test(kind) ? [words] : []));
  expect(told).toEqual(['Retries', '6 hours', 'retry()']);
  expect(firstWords(text, 40)).toBe('Retries Wait 6 hours, see retry(). #tag,');
});

test('parts have the whole text, for every order of the excerpts', () => {
  const excerpts = [
    { start: 6, end: 8 },
    { start: 0, end: 3 },
  ];
  expect(partsOf('abcdefghij', excerpts)).toEqual([
    { text: 'abc', kept: true },
    { text: 'def', kept: false },
    { text: 'gh', kept: true },
    { text: 'ij', kept: false },
  ]);
  expect(partsOf('', undefined)).toEqual([{ text: '', kept: true }]);
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

test('a run is opened if it has its texts; else the page names the missing parts', async () => {
  const lockfile = await cut();
  expect(openRun({ lockfile })).toMatchObject({ notes: [] });
  expect(openRun({})).toMatchObject({ missing: expect.stringContaining('record the context') });
  const staged = sealed({ ...lockfile, functions: ['stages'] });
  expect(openRun({ lockfile: staged })).toMatchObject({ missing: expect.stringContaining('stages') });
  const counted = sealed({ ...lockfile, functions: ['tokenizer'] });
  expect(openRun({ lockfile: counted })).toMatchObject({ notes: [expect.stringContaining('a function')] });
});

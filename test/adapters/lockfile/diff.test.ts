import { createShaper, type ShapingOptions } from 'context-shaping';
import { diffContexts, formatDiff, recordContext, replayContext } from 'context-shaping/lockfile';
import { expect, test } from 'vitest';
import { chunks, question } from '../../pool.js';

const record = async (options: ShapingOptions, input = { query: question, chunks }) =>
  recordContext(createShaper(options).session(input));

test('one option changed: it is the proven cause of each change', async () => {
  const [a, b] = [await record({ budget: { maxTokens: 200 } }), await record({ budget: { maxTokens: 280 } })];
  const diff = await diffContexts(a, b);
  expect(diff.causes).toEqual([
    { kind: 'option', path: 'budget.maxTokens', from: 200, to: 280, effect: 'proven' },
  ]);
  expect(diff.chunks.map(({ change }) => change)).toEqual(['cut', 'came', 'came', 'came']);
  expect(diff.chunks.every(({ causes }) => causes[0] === 0)).toBe(true);
  expect(formatDiff(diff)).toContain('option budget.maxTokens');
});

test('of several changes, each chunk has its own', async () => {
  const changed = chunks.map((chunk, at) =>
    at === 3 ? { ...chunk, text: `${chunk.text} Also this.` } : chunk,
  );
  const a = await record({ budget: { maxTokens: 300 } });
  const b = await record(
    { budget: { maxTokens: 200 }, order: 'input' },
    { query: question, chunks: changed.slice(1) },
  );
  const { causes, chunks: found } = await diffContexts(a, b);
  expect(causes.map(({ kind, effect }) => [kind, effect])).toEqual([
    ['option', 'proven'],
    ['option', 'proven'],
    ['chunk-removed', 'proven'],
    ['chunk-changed', 'proven'],
  ]);
  expect(found.find(({ id }) => id === 'wiki.md#4')).toMatchObject({ change: 'went', causes: [0] });
  expect(found.find(({ id }) => id === 'press.md#1')).toMatchObject({ change: 'moved', causes: [1] });
  expect(found.find(({ id }) => id === 'guide.md#3')).toMatchObject({ change: 'evicted', causes: [3] });
});

test('another conversation before the same question is a cause of its own', async () => {
  const asked = (...texts: string[]) => ({
    text: 'How many lanes does it have?',
    history: texts.map((text) => ({ role: 'user' as const, text })),
  });
  const pool = [
    { id: 'bridge', text: 'The bridge has lanes for cars, eight of them.' },
    { id: 'tunnel', text: 'The tunnel has lanes for cars, four of them.' },
  ];
  const of = (...texts: string[]) =>
    recordContext(createShaper({ k: 1 }).session({ query: asked(...texts), chunks: pool, ranked: false }));
  const [a, b] = [await of('Tell me about the bridge.'), await of('Hello!', 'Tell me about the tunnel.')];
  const { causes, chunks: found } = await diffContexts(a, b);
  expect(causes).toEqual([{ kind: 'history', from: 1, to: 2, effect: 'proven' }]);
  expect(found.map(({ id, change }) => [id, change])).toEqual([
    ['tunnel', 'came'],
    ['bridge', 'went'],
  ]);
  expect(formatDiff(await diffContexts(a, b))).toContain('conversation before it');
});

test('reports alone: the causes are possible', async () => {
  const [a, b] = [await record({ k: 4 }), await record({ k: 5 })];
  const { causes, chunks: found } = await diffContexts(a.report, b.report);
  expect(causes).toEqual([{ kind: 'option', path: 'k', from: 4, to: 5, effect: 'possible' }]);
  expect(found.every((change) => change.causes.length === 0)).toBe(true);
});

test('a release is the cause only where the report changed', async () => {
  const now = await record({ k: 4 });
  const before = { ...now, library: { ...now.library, version: '0.0.1' } };
  const equal = await replayContext(before);
  expect(equal.isEqual).toBe(true);
  expect(equal.changes.causes).toMatchObject([{ kind: 'library', from: '0.0.1', effect: 'none' }]);
  const other = await record({ k: 3 });
  const changed = { ...before, report: other.report, digest: other.digest };
  const { isEqual, changes } = await replayContext(changed);
  expect(isEqual).toBe(false);
  expect(changes.causes).toMatchObject([{ kind: 'library', effect: 'proven' }]);
  expect(changes.chunks.every(({ causes }) => causes[0] === 0)).toBe(true);
});

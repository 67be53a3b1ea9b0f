import { createShaper, type ShapingOptions } from 'context-shaping';
import { fakeEmbedder } from 'context-shaping/testing';
import { diffContexts, formatDiff, recordContext, replayContext } from 'context-shaping-devtools/lockfile';
import { expect, test } from 'vitest';
import { chunks, question } from '../../../../test/pool.js';
import { sealed } from '../../src/lockfile/record.js';

const record = async (options: ShapingOptions, input = { query: question, chunks }) =>
  recordContext(createShaper(options).session(input));

test('names the option that differs, and the chunks with another outcome', async () => {
  const [a, b] = [await record({ budget: { maxTokens: 200 } }), await record({ budget: { maxTokens: 280 } })];
  const diff = diffContexts(a, b);
  expect(diff.isEqual).toBe(false);
  expect(diff.differences).toEqual([{ path: 'options.budget.maxTokens', from: 200, to: 280 }]);
  expect(diff.chunks.map(({ change }) => change)).toEqual(['cut', 'came', 'came']);
  expect(formatDiff(diff)).toMatch(/options\.budget\.maxTokens +200 +280/);
});

test('names each option, each changed field of a chunk, and chunks that one input lacks', async () => {
  const changed = chunks.map((chunk, at) =>
    at === 3 ? { ...chunk, text: `${chunk.text} Also this.` } : chunk,
  );
  const a = await record({ budget: { maxTokens: 300 } });
  const b = await record(
    { budget: { maxTokens: 200 }, order: 'input' },
    { query: question, chunks: changed.slice(1) },
  );
  const { differences, chunks: found } = diffContexts(a, b);
  expect(differences.map(({ path }) => path)).toEqual([
    'options.budget.maxTokens',
    'options.order',
    `chunks["${chunks[0]?.id}"]`,
    `chunks["${chunks[3]?.id}"].text`,
  ]);
  expect(found.find(({ id }) => id === 'wiki.md#4')).toMatchObject({ change: 'went' });
  expect(found.find(({ id }) => id === 'guide.md#3')).toMatchObject({ change: 'evicted' });
});

test('names another order of the input', async () => {
  const { differences } = diffContexts(
    await record({}),
    await record({}, { query: question, chunks: chunks.toReversed() }),
  );
  expect(differences).toEqual([
    { path: 'chunks', from: chunks.map(({ id }) => id), to: chunks.map(({ id }) => id).reverse() },
  ]);
});

test('names another conversation before the same question', async () => {
  const pool = [
    { id: 'bridge', text: 'The bridge has lanes for cars, eight of them.' },
    { id: 'tunnel', text: 'The tunnel has lanes for cars, four of them.' },
  ];
  const of = (text: string) =>
    recordContext(
      createShaper({ k: 1 }).session({
        query: { text: 'How many lanes does it have?', history: [{ role: 'user', text }] },
        chunks: pool,
        ranked: false,
      }),
    );
  const diff = diffContexts(await of('Tell me about the bridge.'), await of('Tell me about the tunnel.'));
  expect(diff.differences).toEqual([
    {
      path: 'query.history',
      from: [{ role: 'user', text: 'Tell me about the bridge.' }],
      to: [{ role: 'user', text: 'Tell me about the tunnel.' }],
    },
  ]);
  expect(diff.chunks.map(({ id, change }) => [id, change])).toEqual([
    ['tunnel', 'came'],
    ['bridge', 'went'],
  ]);
});

test('a text that changes no report makes contexts different', async () => {
  const other = chunks.map((chunk, at) => (at === 0 ? { ...chunk, text: `${chunk.text} ` } : chunk));
  const [a, b] = [await record({ k: 1 }), await record({ k: 1 }, { query: question, chunks: other })];
  expect(diffContexts(a, { ...b, report: a.report }).isEqual).toBe(false);
  expect(diffContexts(a, a).isEqual).toBe(true);
});

test('says that the kept chunks have another order', async () => {
  const [a, b] = [await record({ k: 4, order: 'relevance' }), await record({ k: 4, order: 'input' })];
  const diff = diffContexts(a, b);
  expect(diff).toMatchObject({ isReordered: true, chunks: [], isEqual: false });
  expect(formatDiff(diff)).toContain('Chunks that both keep have another order.');
  expect(diffContexts(a, a)).toMatchObject({ isReordered: false, isEqual: true });
});

test('counts the answers of services that changed', async () => {
  const embedder = fakeEmbedder();
  const other = { ...embedder, embed: async (texts: readonly string[]) => texts.map(() => [1, 0]) };
  const { differences } = diffContexts(await record({ embedder }), await record({ embedder: other }));
  // Copies are gone before the embedder is asked.
  const asked = new Set(embedder.calls.flat()).size;
  expect(differences).toEqual([{ path: 'answers', from: asked, to: `${asked}, of which ${asked} changed` }]);
});

test('compares reports, and a report with a lockfile', async () => {
  const [a, b] = [await record({ k: 4 }), await record({ k: 5 })];
  for (const diff of [diffContexts(a.report, b.report), diffContexts(a, b.report)]) {
    expect(diff.differences).toEqual([{ path: 'options.k', from: 4, to: 5 }]);
    expect(diff.chunks.length).toBeGreaterThan(0);
  }
});

test('names another release, and says when only the result differs', async () => {
  const now = await record({ k: 4 });
  const before = sealed({ ...now, library: { ...now.library, version: '0.0.1' } });
  const equal = await replayContext(before);
  expect(equal.isEqual).toBe(true);
  expect(equal.changes.differences).toMatchObject([{ path: 'library', from: '0.0.1' }]);
  const { report } = await record({ k: 3 });
  const { isEqual, changes } = await replayContext(sealed({ ...now, report }));
  expect(isEqual).toBe(false);
  expect(changes.differences).toEqual([{ path: 'options.k', from: 3, to: 4 }]);
});

test('an edited question makes contexts different, and is named, though the reports are equal', async () => {
  const a = await record({ k: 4 });
  for (const query of [
    { ...a.input.query, text: 'Who painted it?' },
    { ...a.input.query, answer: '1932' },
    { ...a.input.query, history: [{ role: 'user' as const, text: 'Hello.' }] },
  ]) {
    const diff = diffContexts(a, sealed({ ...a, input: { ...a.input, query } }));
    expect(diff.isEqual).toBe(false);
    expect(diff.differences.map(({ path }) => path)).toEqual([expect.stringMatching(/^query\./)]);
  }
});

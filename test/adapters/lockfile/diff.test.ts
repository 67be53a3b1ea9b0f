import { createShaper, type ShapingOptions } from 'context-shaping';
import { diffContexts, formatDiff, recordContext, replayContext } from 'context-shaping/lockfile';
import { expect, test } from 'vitest';
import { chunks, question } from '../../pool.js';

const record = async (options: ShapingOptions, input = { query: question, chunks }) =>
  recordContext(createShaper(options).session(input));

test('one option changed: it is the proven cause of each change', async () => {
  const [a, b] = [await record({ budget: { maxTokens: 200 } }), await record({ budget: { maxTokens: 260 } })];
  const diff = await diffContexts(a, b);
  console.log(formatDiff(diff));
  expect(diff.causes).toEqual([
    { kind: 'option', path: 'budget.maxTokens', from: 200, to: 260, effect: 'proven' },
  ]);
  expect(diff.chunks.length).toBeGreaterThan(0);
  expect(diff.chunks.every(({ causes }) => causes[0] === 0)).toBe(true);
});

test('of several changes, each chunk has its own', async () => {
  const a = await record({ budget: { maxTokens: 300 } });
  const changed = chunks.map((chunk, at) =>
    at === 3 ? { ...chunk, text: `${chunk.text} Also this.` } : chunk,
  );
  const b = await record(
    { budget: { maxTokens: 240 }, order: 'input' },
    { query: question, chunks: changed.slice(1) },
  );
  console.log(formatDiff(await diffContexts(a, b)));
  console.log(formatDiff(await diffContexts(a.report, b.report)));
  const replay = await replayContext(a, { options: { order: 'source', k: 4 } });
  console.log(formatDiff(replay.changes));
});

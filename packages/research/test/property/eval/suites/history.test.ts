import { afterAll, expect, test } from 'vitest';
import { makeDataFolder } from '../../../../eval/data-folder.js';
import { history } from '../../../../eval/suites/history.js';

const { folder, remove } = makeDataFolder();
afterAll(remove);

test('compares with the question alone, in its own conversation and after another', async () => {
  const result = await history.run({ dataDir: folder, limit: 6, onProgress: () => undefined });
  expect(result?.methods.map(({ method }) => method)).toEqual([
    'without history',
    'ours',
    'last two questions as one',
    'whole conversation as one',
  ]);
  const metrics = new Set(result?.comparisons.map(({ metric }) => metric));
  for (const metric of ['nDCG@10', 'recall@5', 'gold kept at 2x', 'gold kept at 4x', 'gold kept at 10x']) {
    expect(metrics).toContain(`boats, continuing: ${metric}`);
    expect(metrics).toContain(`NQ, unrelated: ${metric}`);
    expect(metrics).toContain(`MuSiQue, unrelated: ${metric}`);
  }
  // The question alone does not say that it is about boats. Three passages are too few to compare their order.
  const gain = result?.comparisons.find(
    ({ method, metric }) => method === 'ours' && metric === 'boats, continuing: gold kept at 4x',
  );
  expect(gain?.difference.mean).toBeGreaterThanOrEqual(0);
  const [chosen] = result?.tables ?? [];
  expect(chosen?.rows.map(([name, questions]) => [name, questions])).toEqual([
    ['boats', 1],
    ['all', 1],
  ]);
});

import { afterAll, expect, test } from 'vitest';
import { makeDataFolder } from '../../../../eval/data-folder.js';
import { calibration } from '../../../../eval/suites/calibration.js';
import { kept } from '../../../../eval/suites/kept.js';
import { match } from '../../../../eval/suites/match.js';

const { folder, remove } = makeDataFolder();
afterAll(remove);

const input = { dataDir: folder, limit: 4, onProgress: () => undefined };

test('ours beside its rivals on every set, and what is significantly below is a failure', async () => {
  const result = await kept.run({ ...input, lists: ['BM25 order', 'distances', 'cosines'] });
  const sets = [
    'NQ',
    'RAMDocs',
    'TAT-QA',
    'FeTaQA',
    'ClapNQ',
    'HotpotQA',
    'MuSiQue',
    'XQuAD de',
    'XQuAD en',
    'MTRAG-UN',
  ];
  for (const set of sets) expect(result?.counts[`questions of ${set}`]).toBeGreaterThan(0);
  const titles = result?.tables.map(({ title }) => title).join('\n');
  for (const group of ['answers', 'passages', 'many relevant'])
    expect(titles).toContain(`Evidence kept, ${group}: mean over budgets`);
  const pooled = result?.comparisons.filter(({ metric }) => metric.startsWith('answers, '));
  expect(new Set(pooled?.map(({ baseline }) => baseline))).toEqual(
    new Set(['naive sentences', 'plain', 'BM25 top-k', 'random sentences']),
  );
  for (const { gates, difference } of result?.comparisons ?? []) expect(gates).toBe(difference.mean < 0);
});

test('only the sets and lists that are asked for', async () => {
  const result = await kept.run({ ...input, sets: ['clapnq'], lists: ['shuffled, not'] });
  expect(Object.keys(result?.counts ?? {})).toEqual(['questions of ClapNQ']);
  expect(result?.tables[0]?.rows.map(([list]) => list)).toEqual(['shuffled, not ranked']);
});

test('the match is kept where it comes first', async () => {
  const result = await match.run({ ...input, limit: 2 });
  expect(result?.tables[0]?.rows.map((row) => row[1])).toEqual(new Array(12).fill('1.000'));
  expect(result?.comparisons).toHaveLength(8);
});

test('relevance beside what is relevant, in lists with the evidence and without', async () => {
  const result = await calibration.run({ ...input, sets: ['NQ'], lists: ['BM25 order'] });
  const [chunks, bins] = result?.tables ?? [];
  expect(chunks?.rows.map(([set]) => set)).toEqual(['NQ', 'ClapNQ', 'all']);
  const items = chunks?.rows[0]?.[1] as number;
  // Of each of four questions one passage of some twenty is gold, in one list of two.
  expect(chunks?.rows[0]?.[3]).toBe((4 / items).toFixed(3).replace(/^0/, ''));
  const all = bins?.rows
    .filter(([bin]) => `${bin}`.startsWith('equal width'))
    .map(([, count]) => count as number);
  expect(all?.reduce((sum, count) => sum + count, 0)).toBe(chunks?.rows.at(-1)?.[1]);
});

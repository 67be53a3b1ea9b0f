import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { SUPPORT } from '../../../src/relevance/support-coefficients.js';
import { makeDataFolder } from '../data-folder.js';
import { crag } from '../suites/crag.js';
import { judge, learn, thresholdsOf } from './learn.js';
import type { Kept } from './pools.js';
import { areaUnderCurve, calibrationError } from './quality.js';
import { COLUMNS, loadKept, TRAINED_ON } from './sets.js';
import { supportFile, trainSupport } from './train.js';

const { folder, remove } = makeDataFolder();
afterAll(remove);

const FILE = 'src/relevance/support-coefficients.ts';

/** Pools of one chunk. */
const poolOf = (kind: Kept['kind'], feature: number, at = 0): Kept => ({
  kind,
  group: `${kind} ${at}`,
  gold: [kind === 'with'],
  features: [[feature, 0.5]],
  words: [feature],
});

test('area under the curve: the share of pairs in the right order, ties half', () => {
  expect(areaUnderCurve([0.9, 0.5], [0.5, 0.1])).toBe((1 + 1 + 0.5 + 1) / 4);
  expect(areaUnderCurve([1], [0])).toBe(1);
  expect(areaUnderCurve([0.3, 0.3], [0.3])).toBe(0.5);
});

test('calibration error: gaps between what is said and what is so, by tenths', () => {
  const items = [
    [0.95, true],
    [1, true],
    [0.25, false],
    [0.21, true],
  ] as const;
  expect(calibrationError(items)).toBeCloseTo((0.05 + Math.abs(0.46 - 1)) / 4, 12);
});

test('logistic regression: the probability is the share, and a feature that tells nothing weighs nothing', () => {
  // Of chunks with the feature 80 % answer, of those without 20 %.
  const pools = Array.from({ length: 100 }, (_, at): Kept => {
    const feature = at % 2;
    const answers = at % 10 < 2 ? feature === 0 : feature === 1;
    return { ...poolOf('with', feature, at), gold: [answers] };
  });
  const sets = new Map([['set', pools]]);
  const model = learn(sets, { set: 1 }, 2);
  const shareOf = (feature: number) => {
    const own = pools.filter(({ words }) => words[0] === feature);
    return own.filter(({ gold }) => gold[0]).length / own.length;
  };
  expect(judge(model, poolOf('with', 1))[0]).toBeCloseTo(shareOf(1), 2);
  expect(judge(model, poolOf('with', 0))[0]).toBeCloseTo(shareOf(0), 2);
  expect(model.weights[1]).toBeLessThan(0.01);
});

test('bounds: the greatest and the least that misjudge no more than is allowed', () => {
  const pools = [
    ...Array.from({ length: 100 }, (_, at) => poolOf('with', at / 100, at)),
    ...Array.from({ length: 100 }, (_, at) => poolOf('without', at / 200, at)),
  ];
  const bounds = thresholdsOf(new Map([['set', pools]]), ({ words }) => words);
  // Five of a hundred are below .05; of .000, .005, … .495 fifteen are at least .425.
  expect(bounds).toEqual({ lower: 0.05, upper: 0.43 });
});

test('pools: with the evidence, without it, and of another question', async () => {
  const kept = await loadKept(TRAINED_ON['Natural Questions'] as never, folder, 4, () => {});
  expect(kept?.map(({ kind }) => kind)).toEqual(Array(4).fill(['with', 'without', 'other']).flat());
  for (const { kind, gold, features, words } of kept ?? []) {
    expect(gold.filter(Boolean)).toHaveLength(Number(kind === 'with'));
    expect([gold.length, features.length, words.length]).toEqual([8, 8, 8]);
    expect(features.every((row) => row.length === COLUMNS.length)).toBe(true);
  }
});

test('the file is what the library has; columns are its features', () => {
  const { bias, weights, lower, upper } = SUPPORT;
  expect(Object.keys(weights)).toEqual(COLUMNS);
  const model = { bias, weights: COLUMNS.map((name) => weights[name]) };
  expect(supportFile(model, { lower, upper })).toBe(readFileSync(FILE, 'utf8'));
});

test('the suite judges every set that is there by what has not seen its questions', async () => {
  const result = await crag.run({ dataDir: folder, onProgress() {} });
  expect(result?.tables[0]?.rows.map(([name]) => name)).toEqual(
    [...Object.keys(TRAINED_ON), 'LongMemEval turns, not learned from'].flatMap((set) => [
      `${set}: support`,
      `${set}: share of words`,
    ]),
  );
  for (const row of result?.tables[0]?.rows ?? []) expect(row[2]).toMatch(/^\d+ \/ \d+ \/ \d+$/);
  expect(await crag.run({ dataDir: `${folder}/nq`, onProgress() {} })).toBeUndefined();
});

test('without one of the data sets nothing is learned', async () => {
  await expect(trainSupport({ dataDir: `${folder}/nq`, onProgress() {} })).rejects.toThrow(
    /HotpotQA is not in .*nq; all sets are needed/,
  );
});

test('the command prints how good it is; --check leaves the file as it is', () => {
  const before = readFileSync(FILE, 'utf8');
  const { stdout, status } = spawnSync(
    process.execPath,
    [
      '--conditions=context-shaping-source',
      '--import',
      'tsx',
      'test/eval/train/main.ts',
      '--support',
      '--check',
      '--data',
      folder,
    ],
    { encoding: 'utf8' },
  );
  expect(status).toBe(0);
  expect(stdout).toContain('HotpotQA: share of words');
  expect(stdout).toContain('export const SUPPORT');
  expect(readFileSync(FILE, 'utf8')).toBe(before);
});

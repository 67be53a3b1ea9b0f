import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { ANSWERABLE } from '../../../../../../src/relevance/answerable-coefficients.js';
import { judge, learn } from '../../../../eval/answerable/learn.js';
import { type AnswerPool, FORMS } from '../../../../eval/answerable/pools.js';
import { COLUMNS, LEARNED, loadPools } from '../../../../eval/answerable/sets.js';
import { answerableFile, trainAnswerable } from '../../../../eval/answerable/train.js';
import { areaUnderCurve } from '../../../../eval/calibration.js';
import { makeDataFolder } from '../../../../eval/data-folder.js';
import { calibrationError } from '../../../../eval/reliability.js';
import { answerable } from '../../../../eval/suites/answerable.js';

const { folder, remove } = makeDataFolder();
afterAll(remove);

const FILE = 'src/relevance/answerable-coefficients.ts';

const poolOf = (kind: AnswerPool['kind'], ...features: readonly number[][]): AnswerPool => ({
  family: 'set',
  set: 'set',
  form: 'question',
  kind,
  gold: features.map((_, at) => kind === 'with' && at === 0),
  features,
  words: 0,
});

test('area under the curve: the share of pairs in the right order, ties half', () => {
  expect(areaUnderCurve([0.9, 0.5], [0.5, 0.1])).toBe((1 + 1 + 0.5 + 1) / 4);
  expect(areaUnderCurve([1], [0])).toBe(1);
  expect(areaUnderCurve([0.3, 0.3], [0.3])).toBe(0.5);
});

test('calibration error: gaps between what is said and what is so, by tenths, as much as they weigh', () => {
  const items = [
    [0.95, true, 1],
    [1, true, 1],
    [0.25, false, 2],
    [0.21, true, 1],
  ] as const;
  expect(calibrationError(items)).toBeCloseTo((0.05 + Math.abs(0.5 + 0.21 - 1)) / 5, 12);
});

test('what is learned: the probability of the best text is the share of pools, whatever else is in them', () => {
  // With a text that has the feature 80 % answer, without one 20 %.
  const pools = Array.from({ length: 200 }, (_, at) => {
    const feature = at % 2;
    const answers = at % 10 < 2 ? feature === 0 : feature === 1;
    return poolOf(answers ? 'with' : 'without', [0, 0.5], [feature, 0.5], [0, 0.5]);
  });
  const model = learn(pools, 2);
  const best = (feature: number) => Math.max(...judge(model, poolOf('with', [0, 0.5], [feature, 0.5])));
  expect(best(1)).toBeCloseTo(0.8, 1);
  expect(best(0)).toBeCloseTo(0.2, 1);
  expect(model.weights[1]).toBeLessThan(0.01);
});

test('pools: with the evidence, without it, and of another question; questions also as search words', () => {
  const pools = loadPools(folder, 4, () => {});
  const nq = pools.filter(({ set }) => set === 'NQ');
  expect(new Set(nq.map(({ form }) => form))).toEqual(new Set(FORMS));
  for (const { kind, gold, features, words } of pools) {
    expect(gold.some(Boolean)).toBe(kind === 'with');
    expect(features).toHaveLength(gold.length);
    expect(features.every((row) => row.length === COLUMNS.length)).toBe(true);
    expect(words >= 0 && words <= 1).toBe(true);
  }
  // Its only question that nothing answers is asked of the chunks of its collection.
  expect(pools.some(({ set, kind }) => set === 'MTRAG-UN' && kind === 'without')).toBe(true);
});

test('the file is what the library has; columns are its features', () => {
  const { bias, weights } = ANSWERABLE;
  expect(Object.keys(weights)).toEqual(COLUMNS);
  const model = { bias, weights: COLUMNS.map((name) => weights[name]) };
  expect(answerableFile(model)).toBe(readFileSync(FILE, 'utf8'));
});

test('the suite judges every set that is there by what has not seen its family', async () => {
  const result = await answerable.run({ dataDir: folder, onProgress() {} });
  const sets = result?.tables[0]?.rows.map(([name]) => name);
  expect(sets).toEqual(expect.arrayContaining(['NQ', 'HotpotQA', 'XQuAD', 'ClapNQ', 'all, one word']));
  expect(await answerable.run({ dataDir: `${folder}/nq`, onProgress() {} })).toBeUndefined();
});

test('without one of the data sets nothing is learned', () => {
  const train = () => trainAnswerable({ dataDir: `${folder}/nq`, onProgress() {} });
  expect(train).toThrow(`${LEARNED.slice(1).join(', ')} not in`);
});

test('the command prints how good it is; --check leaves the file as it is', () => {
  const before = readFileSync(FILE, 'utf8');
  const main = 'packages/research/eval/train/main.ts';
  const { stdout, status } = spawnSync(
    process.execPath,
    [
      ...['--conditions=context-shaping-source', '--import', 'tsx', main],
      ...['--answerable', '--check', '--data', folder],
    ],
    { encoding: 'utf8' },
  );
  expect(status).toBe(0);
  expect(stdout).toContain('all, search words');
  expect(stdout).toContain('export const ANSWERABLE');
  expect(readFileSync(FILE, 'utf8')).toBe(before);
});

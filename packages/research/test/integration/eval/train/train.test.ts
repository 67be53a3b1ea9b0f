import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { COEFFICIENTS } from '../../../../../../src/relevance/coefficients.js';
import { makeDataFolder } from '../../../../eval/data-folder.js';
import { modelFile } from '../../../../eval/train/model-file.js';
import { train } from '../../../../eval/train/train.js';

const { folder, remove } = makeDataFolder();
afterAll(remove);

const FILE = 'src/relevance/coefficients.ts';
const onProgress = () => undefined;

test('the file in the library is as the script writes it', () => {
  expect(readFileSync(FILE, 'utf8')).toBe(modelFile(COEFFICIENTS));
});

test('no weight of the library is below 0, and only the expert that is told the order knows a place', () => {
  for (const { words, ranked } of [COEFFICIENTS.passages, COEFFICIENTS.talk, COEFFICIENTS.chat]) {
    for (const weight of Object.values({ ...words.weights, ...ranked.weights }))
      expect(weight).toBeGreaterThan(0);
    expect(words.place).toBe(0);
    expect(ranked.place).toBeGreaterThan(0);
  }
  for (const weight of Object.values(COEFFICIENTS.units.weights)) expect(weight).toBeGreaterThan(0);
});

test('the same data gives the same file, byte by byte', async () => {
  const run = () => train({ dataDir: folder, onProgress });
  const first = await run();
  const second = await run();
  expect(modelFile(second.model)).toBe(modelFile(first.model));
  expect(second.tables).toEqual(first.tables);
});

test('a talk keeps the ratios that are set by hand', async () => {
  const { model, tables } = await train({ dataDir: folder, onProgress });
  const { neighbours = 0, source = 0 } = model.talk.words.weights;
  expect(neighbours * 2.08).toBeCloseTo(source * 1.59, 6);
  expect(tables.map(({ title }) => title)).toEqual([
    'Probabilities of families that took no part in learning: expected calibration error',
  ]);
});

test('without one of the data sets nothing is learned', async () => {
  await expect(train({ dataDir: join(folder, 'nq'), onProgress })).rejects.toThrow(/all sets are needed/);
});

test('the command prints how good the probabilities are; --check leaves the file as it is', () => {
  const before = readFileSync(FILE, 'utf8');
  const program = [
    '--conditions=context-shaping-source',
    '--import',
    'tsx',
    'packages/research/eval/train/main.ts',
  ];
  const { stdout, status } = spawnSync(process.execPath, [...program, '--data', folder, '--check'], {
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  expect(stdout).toContain('expected calibration error');
  expect(stdout).toContain('export const COEFFICIENTS');
  expect(readFileSync(FILE, 'utf8')).toBe(before);
});

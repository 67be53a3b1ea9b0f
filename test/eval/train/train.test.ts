import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fakeEmbedder } from 'context-shaping/testing';
import { afterAll, expect, test } from 'vitest';
import { COEFFICIENTS } from '../../../src/relevance/coefficients.js';
import { makeDataFolder } from '../data-folder.js';
import { coefficientsFile, passageWeights, unitWeights } from './coefficients-file.js';
import { train } from './train.js';

const { folder, remove } = makeDataFolder();
afterAll(remove);

const FILE = 'src/relevance/coefficients.ts';
const sum = (weights: Readonly<Record<string, number>>) =>
  Object.values(weights).reduce((total, weight) => total + weight, 0);
const onProgress = () => undefined;
const present = {
  passages: { cosine: 1.5, score: 0.5 },
  turns: { cosine: 2.5 },
  units: {},
};

test('the file in the library is as the script writes it, with weights on the scale that it says', () => {
  expect(readFileSync(FILE, 'utf8')).toBe(coefficientsFile(COEFFICIENTS));
  const { cosine, score, rank, ...words } = COEFFICIENTS.passages;
  for (const weights of [words, COEFFICIENTS.units]) expect(sum(weights)).toBeCloseTo(10, 1);
  expect(rank).toBe(0.1);
  for (const weight of [cosine, score]) expect(weight).toBeGreaterThan(0);
});

test('the same data gives the same file, byte by byte', async () => {
  const run = () => train({ dataDir: folder, embedder: fakeEmbedder(), present, onProgress });
  const first = await run();
  const second = await run();
  expect(coefficientsFile(second.coefficients)).toBe(coefficientsFile(first.coefficients));
  expect(second.tables).toEqual(first.tables);
});

test('the weight of cosine stays as it is without vectors; those of words are learned', async () => {
  const { coefficients, tables } = await train({ dataDir: folder, present, onProgress });
  const { cosine, score, rank, ...words } = coefficients.passages;
  expect({ cosine, score, rank }).toEqual({ cosine: 1.5, score: 10, rank: 0.1 });
  expect(coefficients.turns).toMatchObject({ cosine: 2.5 });
  for (const weights of [words, coefficients.units]) {
    expect(sum(weights)).toBeCloseTo(10, 1);
    for (const weight of Object.values(weights)) expect(weight).toBeGreaterThan(0);
  }
  expect(tables.map(({ title }) => title)).toEqual([
    'Weights of passages',
    'Weights of turns',
    'Weights of units',
  ]);
});

test('weights are scaled, rounded, and left out where nothing is left', () => {
  const columns = ['bm25', 'title', 'date', 'cosine'];
  const words = Float64Array.of(1, 0, 3, 0);
  const withCosine = { cosine: Float64Array.of(1, 0, 3, 0.5) };
  expect(passageWeights(columns, words, withCosine, { cosine: 9, score: 2 })).toEqual({
    bm25: 2.5,
    date: 7.5,
    cosine: 1.25,
    score: 10,
    rank: 0.1,
  });
  expect(passageWeights(columns, words, {}, {})).toEqual({ bm25: 2.5, date: 7.5, score: 10, rank: 0.1 });
  const withSpeaker = { speaker: Float64Array.of(1, 0, 3, 0.8) };
  expect(passageWeights(['bm25', 'title', 'date', 'speaker'], words, withSpeaker, {}).speaker).toBe(1);
  expect(unitWeights(['bm25', 'title', 'chunk'], Float64Array.of(2, 0.0005, 1))).toEqual({
    bm25: 6.67,
    chunk: 3.33,
  });
});

test('without one of the data sets nothing is learned', async () => {
  await expect(train({ dataDir: join(folder, 'nq'), present, onProgress })).rejects.toThrow(
    /HotpotQA is not in .*nq; all sets are needed/,
  );
});

test('the command prints how good the weights are; --check leaves the file as it is', () => {
  const before = readFileSync(FILE, 'utf8');
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [
      '--conditions=context-shaping-source',
      '--import',
      'tsx',
      'test/eval/train/main.ts',
      '--data',
      folder,
      '--check',
    ],
    { encoding: 'utf8' },
  );
  expect(stderr).toContain('No --model');
  expect(status).toBe(0);
  expect(stdout).toMatch(/HotpotQA: words, held out +1 /);
  expect(stdout).toContain('export const COEFFICIENTS');
  expect(readFileSync(FILE, 'utf8')).toBe(before);
});

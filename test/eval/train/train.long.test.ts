import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fakeEmbedder } from 'context-shaping/testing';
import { afterAll, expect, test } from 'vitest';
import { COEFFICIENTS } from '../../../src/relevance/coefficients.js';
import { makeDataFolder } from '../data-folder.js';
import { chunkWeights, coefficientsFile, unitWeights } from './coefficients-file.js';
import { train } from './train.js';

const { folder, remove } = makeDataFolder();
afterAll(remove);

const FILE = 'src/relevance/coefficients.ts';
const sum = (weights: Readonly<Record<string, number>>) =>
  Object.values(weights).reduce((total, weight) => total + weight, 0);
const onProgress = () => undefined;
const present = {
  passages: { cosine: 1.5, score: 0.5 },
  talk: { cosine: 2.5 },
  chat: { cosine: 3.5 },
  units: {},
};

test('the file in the library is as the script writes it, with weights on the scale that it says', () => {
  expect(readFileSync(FILE, 'utf8')).toBe(coefficientsFile(COEFFICIENTS));
  const { cosine, score, rank, ...words } = COEFFICIENTS.passages;
  for (const weights of [words, COEFFICIENTS.units]) expect(sum(weights)).toBeCloseTo(10, 1);
  expect(rank).toBe(score);
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
  expect({ cosine, score, rank }).toEqual({ cosine: 1.5, score: 12, rank: 12 });
  expect(coefficients.chat).toMatchObject({ cosine: 3.5 });
  expect(coefficients.talk).toMatchObject({ cosine: 2.5 });
  // By hand, not learned.
  const { neighbours = 0, source = 0 } = coefficients.talk;
  expect(source / neighbours).toBeCloseTo(3 / 2.3, 1);
  for (const weights of [words, coefficients.units]) {
    expect(sum(weights)).toBeCloseTo(10, 1);
    for (const weight of Object.values(weights)) expect(weight).toBeGreaterThan(0);
  }
  expect(tables.map(({ title }) => title)).toEqual([
    'Weights of passages',
    'Weights of talk',
    'Weights of chat',
    'Weights of units',
    'The best 50 of collections by BM25, ranked by weights: nDCG@10',
  ]);
});

test('weights are scaled, rounded, and left out where nothing is left', () => {
  const columns = ['bm25', 'title', 'date', 'cosine'];
  const words = Float64Array.of(1, 0, 3, 0);
  const withCosine = { cosine: Float64Array.of(1, 0, 3, 0.5) };
  expect(chunkWeights('passages', columns, words, withCosine, { cosine: 9, score: 2 })).toEqual({
    bm25: 2.5,
    date: 7.5,
    cosine: 1.25,
    score: 12,
    rank: 12,
  });
  expect(chunkWeights('passages', columns, words, {}, {})).toEqual({
    bm25: 2.5,
    date: 7.5,
    score: 12,
    rank: 12,
  });
  const columnsOfTalk = ['bm25', 'neighbours', 'date', 'speaker'];
  const learned = Float64Array.of(1, 4, 5, 2);
  expect(chunkWeights('chat', columnsOfTalk, learned, {}, {})).toEqual({
    bm25: 1,
    neighbours: 4,
    date: 5,
    speaker: 2,
    score: 12,
    rank: 12,
  });
  // 1, 2.3 (by hand, for 4), 3 (by hand) and 5 of 11.3; of the speaker half.
  expect(chunkWeights('talk', columnsOfTalk, learned, {}, {})).toEqual({
    bm25: 0.88,
    neighbours: 2.04,
    date: 4.42,
    source: 2.65,
    speaker: 0.88,
    score: 12,
    rank: 12,
  });
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

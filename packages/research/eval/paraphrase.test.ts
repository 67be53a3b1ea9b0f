import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { evaluateParaphrase } from './paraphrase.js';

const SAME = ['The old bridge was opened in spring.', 'The old bridge was opened, in spring'];
const NEAR = [
  'The old bridge was opened to all in spring.',
  'The old bridge was also opened to all in spring.',
];
const OTHER = ['The old bridge was opened in spring.', 'The old bridge was closed in spring.'];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paraphrase-'));
  await mkdir(join(folder, 'paraphrase/mrpc'), { recursive: true });
  await mkdir(join(folder, 'paraphrase/stsb'), { recursive: true });
  const mrpc = [
    ['\ufeffQuality', '#1 ID', '#2 ID', '#1 String', '#2 String'],
    ['1', '1', '2', ...SAME],
    ['0', '3', '4', ...OTHER],
  ];
  const stsb = [
    ['news', 'file', '2012', '1', '4.0', ...SAME],
    ['news', 'file', '2012', '2', '3.9', ...NEAR],
  ];
  const write = (path: string, rows: string[][]) =>
    writeFile(join(folder, 'paraphrase', path), rows.map((row) => row.join('\t')).join('\r\n'));
  for (const split of ['train', 'test']) await write(`mrpc/msr_paraphrase_${split}.txt`, mrpc);
  for (const split of ['train', 'dev', 'test']) await write(`stsb/sts-${split}.csv`, stsb);
});
afterAll(() => rm(folder, { recursive: true }));

test('precision, its interval and recall over the bounds, for each set and measure', async () => {
  const embedder = {
    embed: async (texts: readonly string[]) =>
      texts.map((text) => (text.includes('also') ? [1, 0.5] : [1, 0])),
  };
  const { points, tables } = await evaluateParaphrase(folder, embedder);
  const at = (set: string, measure: string, maxDistance: number) =>
    points.find(
      (point) => point.set === set && point.measure === measure && point.maxDistance === maxDistance,
    );
  expect(at('MRPC', 'lexical', 0.5)).toMatchObject({ pairs: 4, same: 2, merged: 2, right: 2, recall: 1 });
  // Their cosine distance is 1 - 1/√1.25 = .106.
  expect(at('STS-B', 'cosine', 0.1)).toMatchObject({ pairs: 6, same: 3, merged: 3, right: 3 });
  const wider = at('STS-B', 'cosine', 0.12);
  expect(wider).toMatchObject({ merged: 6, right: 3, recall: 1 });
  // Wilson's interval of 3 of 6.
  expect(wider?.precision?.value).toBe(0.5);
  expect(wider?.precision?.low).toBeCloseTo(0.1876, 4);
  expect(wider?.precision?.high).toBeCloseTo(0.8124, 4);
  expect(tables.map(({ title }) => title)).toContain('Semantic de-duplication: STS-B dev, cosine distance');
  expect(
    new Set(tables.flatMap(({ columns, rows }) => rows.map((row) => row.length - columns.length))),
  ).toEqual(new Set([0]));
});

test('without an embedder, words alone', async () => {
  const { points } = await evaluateParaphrase(folder);
  expect(new Set(points.map(({ measure }) => measure))).toEqual(new Set(['lexical']));
});

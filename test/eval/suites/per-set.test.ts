import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { mean } from '../bootstrap.js';
import type { Dataset } from '../data/case.js';
import { loadNaturalQuestionsCollection } from '../data/nq.js';
import { makeDataFolder } from '../data-folder.js';
import { bm25, inputOrder } from '../methods/lexical.js';
import { ndcgAt } from '../metrics.js';
import { overfetch, type RankedList } from '../overfetch.js';
import { seededNormal } from '../random.js';
import { SCORE_SHAPES } from '../score-shapes.js';
import { comparePerSet, ScoreSheet } from './per-set.js';
import { ranked } from './ranked.js';
import { noiseFor, rankedStrong, reordered } from './ranked-strong.js';
import { limited } from './suite.js';

const { folder, remove } = makeDataFolder();
afterAll(remove);

const input = { dataDir: folder, onProgress: () => undefined };

describe('ranked', () => {
  test('compares with the order of the retriever on each set and on all, at both sizes', async () => {
    const result = await ranked.run({ ...input, limit: 6 });
    expect(result?.counts).toMatchObject({ 'questions of NQ': 6, 'questions of MTRAG-UN': 3 });
    const metrics = new Set(result?.comparisons.map(({ metric }) => metric));
    for (const set of [
      'NQ',
      'XQuAD en',
      'XQuAD de',
      'RAMDocs',
      'MTRAG-UN',
      'NQ, joint',
      'MuSiQue, joint',
      'all',
    ]) {
      for (const size of [20, 100]) {
        const evidence = set === 'MTRAG-UN' ? 'share of the gold text' : 'answers';
        for (const metric of ['nDCG@10', 'recall@10', `${evidence} at 4x`, `${evidence} at 10x`]) {
          expect(metrics).toContain(`${set}, best ${size}: ${metric}`);
        }
      }
    }
    const gating = result?.comparisons.filter(({ gates }) => gates) ?? [];
    expect(gating.length).toBeGreaterThan(0);
    expect(gating.every(({ baseline }) => baseline === inputOrder.name)).toBe(true);
    const isGating = (metric: string) => /: (nDCG@10|answers at \d+x)$/.test(metric);
    expect(result?.comparisons.every(({ metric, gates }) => gates === isGating(metric))).toBe(true);
    const own = result?.methods.find(({ method }) => method === inputOrder.name)?.metrics;
    const dataset = loadNaturalQuestionsCollection(folder) as Dataset;
    const lists = overfetch(limited(dataset, 6), 20);
    const expected = mean(lists.map(({ case: { relevant }, ids }) => ndcgAt(10, relevant, ids)));
    expect(own?.['NQ, best 20: nDCG@10']?.mean).toBeCloseTo(expected, 12);
  });

  test('is skipped where no set is there', async () => {
    const dataDir = `${folder}/slimcontext`;
    expect(await ranked.run({ ...input, dataDir })).toBeUndefined();
    expect(await rankedStrong.run({ ...input, dataDir })).toBeUndefined();
  });
});

test('sets are compared by themselves and together, each question once', () => {
  const sheet = (set: string, own: number[], others: number[]) => {
    const sheet = new ScoreSheet(set);
    for (const [at, value] of own.entries()) {
      sheet.groups.push(`${set} ${at}`);
      sheet.add(inputOrder, 'quality', value);
      sheet.add(bm25, 'quality', others[at] as number);
    }
    return sheet;
  };
  const sets = [sheet('A', [0.5, 0.5], [0.75, 0.75]), sheet('B', [1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1])];
  const setting = { name: 'few', title: 'Few', notes: ['A note.'], gates: ['quality'] };
  const { comparisons, tables, methods } = comparePerSet(sets, inputOrder.name, setting);
  expect(comparisons.map(({ metric, difference }) => [metric, difference.mean])).toEqual([
    ['A, few: quality', 0.25],
    ['B, few: quality', 0],
    ['all, few: quality', 0.0625],
  ]);
  expect(comparisons.every(({ gates }) => gates)).toBe(true);
  expect(methods[0]?.metrics['all, few: quality']?.mean).toBe(0.875);
  expect(tables[0]).toMatchObject({
    title: 'Few: quality',
    columns: ['set', 'questions', 'input order', 'BM25 top-k'],
    notes: ['A note.'],
  });
  expect(tables[0]?.rows[0]).toEqual(['A', 2, '.500', '+.250 [+.250, +.250]']);
});

test('a metric that only some sets have is compared on those', () => {
  const sheets = ['A', 'B'].map((set) => {
    const sheet = new ScoreSheet(set);
    sheet.groups.push(set);
    for (const method of [inputOrder, bm25]) sheet.add(method, `quality of ${set}`, 1);
    return sheet;
  });
  const { tables } = comparePerSet(sheets, inputOrder.name, { name: '', title: '', notes: [], gates: [] });
  expect(tables.map(({ rows }) => rows.map(([set, questions]) => [set, questions]))).toEqual([
    [
      ['A', 1],
      ['all', 1],
    ],
    [
      ['B', 1],
      ['all', 1],
    ],
  ]);
});

describe('made-up orders', () => {
  const list = (at: number): RankedList => {
    const ids = Array.from({ length: 50 }, (_, place) => `c${place}`);
    const question = {
      id: `${at}`,
      group: `${at}`,
      question: '',
      chunks: [],
      relevant: ['c7', 'c40'],
      answers: [],
      facts: [],
    };
    return { case: question, ids, scores: ids.map((_, place) => 50 - place) };
  };
  const lists = Array.from({ length: 40 }, (_, at) => list(at));
  const quality = (some: readonly RankedList[]) =>
    mean(some.map(({ case: { relevant }, ids }) => ndcgAt(10, relevant, ids)));

  test('without noise what answers comes first; the noise for a quality gives about that quality', () => {
    expect(quality(reordered(lists, 0))).toBe(1);
    for (const wanted of [0.95, 0.8, 0.6]) {
      expect(Math.abs(quality(reordered(lists, noiseFor(lists, wanted))) - wanted)).toBeLessThan(0.02);
    }
  });

  test('the same chunks, greatest score first, and the same again', () => {
    const [first] = reordered(lists, 0.5);
    expect(first?.ids.toSorted()).toEqual(list(0).ids.toSorted());
    expect(first?.scores).toEqual(first?.scores.toSorted((a, b) => b - a));
    expect(reordered(lists, 0.5)).toEqual(reordered(lists, 0.5));
  });

  test('the suite fails nothing: the better the order, the less there is to gain', async () => {
    const result = await rankedStrong.run({ ...input, limit: 2 });
    expect(result?.comparisons.length).toBeGreaterThan(0);
    expect(result?.comparisons.some(({ gates }) => gates)).toBe(false);
  });
});

test('noise has mean 0 and variance 1', () => {
  const normal = seededNormal(1);
  const draws = Array.from({ length: 20_000 }, normal);
  expect(mean(draws)).toBeCloseTo(0, 1);
  expect(mean(draws.map((draw) => draw * draw))).toBeCloseTo(1, 1);
});

describe.each(Object.entries(SCORE_SHAPES))('%s', (name, shape) => {
  test('keep the order of the scores', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { maxLength: 12 }), (scores) => {
        const given = scores.toSorted((a, b) => b - a);
        const shaped = shape(given);
        expect(shaped).toHaveLength(given.length);
        for (let at = 1; at < given.length; at++) {
          expect(shaped[at]).toBeLessThanOrEqual(shaped[at - 1] as number);
          if ((given[at] as number) < (given[at - 1] as number))
            expect(shaped[at]).toBeLessThan(shaped[at - 1] as number);
        }
      }),
      { seed: 1 },
    );
  });

  test('are in the range of their kind', () => {
    const shaped = shape([9, 5, 1]);
    const expected: Record<string, number[]> = {
      'scores as given': [9, 5, 1],
      cosines: [0.9, 0.75, 0.6],
      'reciprocal ranks': [1 / 61, 1 / 62, 1 / 63],
      probabilities: [1 / (1 + Math.exp(-4)), 1 / (1 + Math.exp(1)), 1 / (1 + Math.exp(6))],
      logits: [4, -1, -6],
    };
    expect(shaped).toEqual(expected[name]?.map((value) => expect.closeTo(value, 12)));
  });
});

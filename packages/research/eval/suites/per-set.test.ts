import { expect, test } from 'vitest';
import { bm25, plain } from '../methods/lexical.js';
import { comparePerSet, ScoreSheet } from './per-set.js';

test('sets are compared by themselves and together, each question once', () => {
  const sheet = (set: string, own: number[], others: number[]) => {
    const sheet = new ScoreSheet(set);
    for (const [at, value] of own.entries()) {
      sheet.groups.push(`${set} ${at}`);
      sheet.add(plain, 'quality', value);
      sheet.add(bm25, 'quality', others[at] as number);
    }
    return sheet;
  };
  const sets = [sheet('A', [0.5, 0.5], [0.75, 0.75]), sheet('B', [1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1])];
  const setting = { name: 'few', title: 'Few', notes: ['A note.'], gates: ['quality'] };
  const { comparisons, tables, methods } = comparePerSet(sets, plain.name, setting);
  expect(comparisons.map(({ metric, difference }) => [metric, difference.mean])).toEqual([
    ['A, few: quality', 0.25],
    ['B, few: quality', 0],
    ['all, few: quality', 0.0625],
  ]);
  expect(comparisons.every(({ gates }) => gates)).toBe(true);
  expect(methods[0]?.metrics['all, few: quality']?.mean).toBe(0.875);
  expect(tables[0]).toMatchObject({
    title: 'Few: quality',
    columns: ['set', 'questions', 'plain', 'BM25 top-k'],
    notes: ['A note.'],
  });
  expect(tables[0]?.rows[0]).toEqual(['A', 2, '.500', '+.250 [+.250, +.250]']);
});

test('a metric that only some sets have is compared on those', () => {
  const sheets = ['A', 'B'].map((set) => {
    const sheet = new ScoreSheet(set);
    sheet.groups.push(set);
    for (const method of [plain, bm25]) sheet.add(method, `quality of ${set}`, 1);
    return sheet;
  });
  const { tables } = comparePerSet(sheets, plain.name, { name: '', title: '', notes: [], gates: [] });
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

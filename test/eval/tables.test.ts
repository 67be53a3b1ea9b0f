import { expect, test } from 'vitest';
import { type Scores, summarise } from './results.js';
import { limited } from './suites/suite.js';
import { comparisonsTable, formatTable, harmLines, methodsTable } from './tables.js';

const dataset = {
  cases: Array.from({ length: 100 }, (_, at) => ({
    id: `${at}`,
    group: `${at}`,
    question: '',
    chunks: [],
    relevant: [],
    answers: [],
    facts: [],
  })),
  counts: { 'questions used': 100 },
};
const scores = (method: string, share: number): Scores => ({
  method,
  milliseconds: 1.25,
  values: { kept: dataset.cases.map((_, at) => Number(at < share * 100)), cost: dataset.cases.map(() => 1) },
});
const summaryOf = (...all: Scores[]) => ({
  ...summarise(
    'nq',
    dataset,
    all,
    [
      ['ours', 'BM25'],
      ['ours', 'absent'],
    ],
    ['kept'],
  ),
  tables: [],
});

test('a method that falls behind its baseline is named, with how sure that is', () => {
  expect(harmLines([summaryOf(scores('ours', 0.6), scores('BM25', 0.9))])[1]).toMatch(
    /^ {2}nq, kept: ours − BM25 = −\.300 \[−\.\d{3}, −\.\d{3}\]$/,
  );
  expect(harmLines([summaryOf(scores('ours', 0.89), scores('BM25', 0.9))])[1]).toMatch(/, within chance$/);
});

test('as good or better is no harm', () => {
  expect(harmLines([summaryOf(scores('ours', 0.9), scores('BM25', 0.9))])).toEqual(['Do no harm: none']);
  expect(harmLines([summaryOf(scores('ours', 1), scores('BM25', 0.9))])).toEqual(['Do no harm: none']);
});

test('tables have a row for each method and each pair that ran', () => {
  const summary = summaryOf(scores('ours', 1), scores('BM25', 1));
  const table = methodsTable('Title', summary, ['kept'], ['A note.']);
  expect(table.rows).toEqual([
    ['ours', '1.000 [1.000, 1.000]', '1.3'],
    ['BM25', '1.000 [1.000, 1.000]', '1.3'],
  ]);
  expect(comparisonsTable(summary.comparisons, ['kept']).rows).toEqual([
    ['ours − BM25', '+.000 [+.000, +.000]'],
  ]);
  expect(formatTable(table).split('\n').slice(3)).toEqual([
    'method                  kept   ms',
    '-'.repeat(33),
    'ours    1.000 [1.000, 1.000]  1.3',
    'BM25    1.000 [1.000, 1.000]  1.3',
    '  A note.',
  ]);
});

test('a limit spreads over the whole set, and says so', () => {
  const { cases, counts } = limited(dataset, 4);
  expect(cases.map(({ id }) => id)).toEqual(['0', '25', '50', '75']);
  expect(counts).toEqual({ 'questions used': 100, 'cases run': 4 });
  expect(limited(dataset, 1000)).toEqual(dataset);
});

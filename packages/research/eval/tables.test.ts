import { describe, expect, test } from 'vitest';
import { type Scores, type SuiteResult, summarise } from './results.js';
import { limited } from './suites/suite.js';
import { comparisonsTable, formatTable, gateLines, harmLines, methodsTable } from './tables.js';

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

describe('the gate', () => {
  const gated = (mean: number, low: number, high: number, gates?: boolean | 'above'): SuiteResult => ({
    suite: 'kept',
    counts: {},
    methods: [],
    comparisons: [
      {
        method: 'ours',
        baseline: 'plain',
        metric: 'NQ, BM25 order',
        difference: { mean, low, high },
        ...(gates === undefined ? {} : { gates }),
      },
    ],
    tables: [],
  });

  test('a loss beyond chance fails, and is named', () => {
    expect(gateLines([gated(0.1, 0.05, 0.15, true), gated(-0.02, -0.03, -0.001, true)])).toEqual([
      'Failed: below a rival by more than chance at',
      '  kept, NQ, BM25 order: ours − plain = −.020 [−.030, −.001]',
    ]);
    expect(harmLines([gated(-0.02, -0.03, -0.001, true)])).toEqual(['Do no harm: none']);
  });

  test('a loss within chance is printed as harm, and does not fail', () => {
    const results = [gated(-0.02, -0.05, 0, true)];
    expect(gateLines(results)).toEqual([]);
    expect(harmLines(results)[1]).toMatch(/NQ, BM25 order: .*, within chance$/);
  });

  test('what must be above a control fails if its interval has less than nothing, or it keeps as much', () => {
    const title = 'Failed: not above a control by more than chance at';
    expect(gateLines([gated(0.02, -0.01, 0.05, 'above')])[0]).toBe(title);
    expect(gateLines([gated(0, 0, 0, 'above')])[0]).toBe(title);
    expect(gateLines([gated(-0.02, -0.05, 0.01, 'above')])[0]).toBe(title);
    expect(harmLines([gated(-0.02, -0.05, 0.01, 'above')])).toEqual(['Do no harm: none']);
    expect(gateLines([gated(0.1, 0, 0.2, 'above')])).toEqual([]);
  });

  test('without a loss nothing is printed', () => {
    expect(gateLines([])).toEqual([]);
    expect(gateLines([gated(0.02, 0.01, 0.03, true)])).toEqual([]);
  });

  test('where a baseline gates nothing, a loss is printed as harm alone', () => {
    for (const gates of [undefined, false]) {
      const results = [gated(-0.02, -0.03, -0.01, gates)];
      expect(gateLines(results)).toEqual([]);
      expect(harmLines(results)).toHaveLength(2);
    }
    expect(gateLines([summaryOf(scores('ours', 0.6), scores('BM25', 0.9))])).toEqual([]);
  });
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

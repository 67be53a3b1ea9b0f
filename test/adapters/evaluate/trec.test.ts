import { parseEvaluationCase, type TrecFiles, trecCases } from 'context-shaping/evaluate';
import { describe, expect, test } from 'vitest';

const files: TrecFiles = {
  qrels: ['query-id\tcorpus-id\tscore', 'q1\td1\t2', 'q1\td9\t1', 'q1\td2\t0', 'q2\td3\t1', 'q3\td1\t0'],
  run: [
    'q1 Q0 d2 1 3.5 bm25',
    'q1 Q0 d1 2 7.25 bm25',
    '',
    'q1 Q0 d3 3 3.5 bm25',
    'q3 Q0 d1 1 1 bm25',
    'q2 Q0 d3 1 0.5 bm25',
  ],
  corpus: [
    '{"_id":"d1","title":"Bridges","text":"The bridge opened."}',
    '{"_id":"d2","title":"","text":"A ferry."}',
    '{"_id":"d3","text":"A tram."}',
    '{"_id":"d4","text":"Not retrieved."}',
  ],
  queries: ['{"_id":"q1","text":"When did it open?"}', 'q2\tWhich tram?', 'q9\tnot asked'],
};

test('the best documents of each query, and those with relevance as evidence', async () => {
  const cases = await trecCases(files, { depth: 2 });
  expect(cases).toEqual([
    {
      id: 'q1',
      query: 'When did it open?',
      chunks: [
        { id: 'd1', score: 7.25, text: 'Bridges\nThe bridge opened.' },
        { id: 'd2', score: 3.5, text: 'A ferry.' },
      ],
      evidence: { ids: ['d1', 'd9'] },
    },
    {
      id: 'q2',
      query: 'Which tram?',
      chunks: [{ id: 'd3', score: 0.5, text: 'A tram.' }],
      evidence: { ids: ['d3'] },
    },
  ]);
  for (const each of cases) expect(parseEvaluationCase(each).id).toBe(each.id);
});

test('qrels of TREC have four columns', async () => {
  const qrels = ['q1 0 d1 1', 'q2 0 d3 -1'];
  const [only, ...others] = await trecCases({ ...files, qrels });
  expect(only).toMatchObject({ id: 'q1', evidence: { ids: ['d1'] } });
  expect(others).toEqual([]);
});

describe('a mistake has its file and line', () => {
  test.each([
    ['qrels', ['q1 0 d1 1', 'q1 d1'], 'qrels, line 2,'],
    ['qrels', ['q1 0 d1 yes'], 'qrels, line 1,'],
    ['run', ['q1 Q0 d1 1'], 'run, line 1,'],
    ['run', ['q1 Q0 d1 1 high bm25'], 'run, line 1,'],
    ['run', ['q1 Q0 d1 1 2 x', 'q1 Q0 d1 2 1 x'], 'run, line 2,'],
    ['corpus', ['{"_id":"d1"'], 'corpus, line 1,'],
    ['corpus', ['{"_id":"d1","text":5}'], 'corpus, line 1,'],
    ['corpus', ['{"_id":"d1","text":"x"}'], 'corpus'],
    ['queries', ['q1 no tab'], 'queries, line 1,'],
    ['queries', ['q1\tWhen?'], 'queries'],
  ])('%s %j', async (name, lines, field) => {
    await expect(trecCases({ ...files, [name]: lines })).rejects.toMatchObject({
      kind: 'invalid-input',
      field,
    });
  });
});

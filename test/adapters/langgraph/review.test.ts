/** People: their requests, and the effect of each answer. */
import type { DocumentInterface } from '@langchain/core/documents';
import { Command, MemorySaver } from '@langchain/langgraph';
import { createCragGraph, type ReviewAnswer, type ReviewReason } from 'context-shaping/langgraph';
import { describe, expect, test } from 'vitest';
import {
  documents,
  fixedGrader,
  idsOf,
  ledgerOf,
  query,
  type ReviewedFields,
  recorded,
  reviewed,
  schemaErrors,
  web,
} from './support.js';

const approve = { action: 'approve' } satisfies ReviewAnswer;
const [cats] = documents(0.5) as [DocumentInterface];
const low = (id: string): DocumentInterface => ({
  id,
  pageContent: `The ferry ${id} is blue.`,
  metadata: { grade: 0.1 },
});

describe('a person', () => {
  test('is shown what would be handed on, and what would not, and why', async () => {
    const retrieved = [
      { ...cats, metadata: { ...cats.metadata, source: 'cats.md' } },
      low('ferry'),
      { ...cats, id: 'copy' },
    ];
    const { requests } = await reviewed([approve], {}, retrieved);
    expect(requests).toMatchObject([
      {
        kind: 'context_shaping.review',
        round: 1,
        about: 'context',
        query,
        reasons: ['ambiguous'],
        verdict: 'ambiguous',
        chunks: [{ id: 'cats', origin: 'retrieved', source: 'cats.md', grade: 0.5, reason: 'as it says' }],
        evicted: [
          { id: 'ferry', reason: 'low-grade', stage: 'grade', grade: 0.1 },
          { id: 'copy', reason: 'exact-duplicate', preview: cats.pageContent },
        ],
      },
    ]);
    expect(requests[0]).not.toHaveProperty('problem');
  });

  test('is asked only in the cases that the policy names', async () => {
    const asked = async (on: ReviewReason[], grade: number) =>
      (await reviewed([approve], { review: { on } }, documents(grade))).requests.map(
        ({ reasons }) => reasons,
      );
    expect(await asked(['incorrect'], 0.5)).toEqual([]);
    expect(await asked(['incorrect'], 0.1)).toEqual([['incorrect']]);
    expect(await asked(['ambiguous', 'incorrect'], 0.9)).toEqual([]);
    expect(await asked(['before-search'], 0.1)).toEqual([]);
  });

  test('goes into the ledger with a name and a note', async () => {
    const { report } = await reviewed([{ ...approve, veto: ['dogs'], by: 'Ada', note: 'about dogs' }]);
    expect(report.crag?.reviews).toEqual([
      {
        about: 'context',
        reasons: ['ambiguous'],
        action: 'approve',
        veto: ['dogs'],
        by: 'Ada',
        note: 'about dogs',
      },
    ]);
    expect(report.evicted).toMatchObject([
      { id: 'dogs', index: 1, stage: 'review', reason: 'vetoed', by: 'Ada', note: 'about dogs' },
    ]);
  });

  test('learns that a search is not possible, if there is none', async () => {
    const { requests, report } = await reviewed([{ ...approve, search: 'sleep of cats' }, approve]);
    expect(requests.map(({ problem }) => problem)).toEqual([
      undefined,
      expect.stringContaining('answer.search needs a web search'),
    ]);
    expect(report.crag?.reviews).toHaveLength(1);
  });

  test('is asked again when the answer cannot be understood, and told why', async () => {
    const { requests, report } = await reviewed([
      { action: 'aprove' },
      { ...approve, pin: ['nobody'] },
      approve,
    ]);
    expect(requests.map(({ problem }) => problem)).toEqual([
      undefined,
      expect.stringContaining('answer.action'),
      expect.stringContaining('answer.pin[0]'),
    ]);
    expect(report.crag?.reviews).toHaveLength(1);
  });

  test('a person with a senseless answer, or out of reach, stops no run', async () => {
    const onReview = async () => Promise.reject('the chat is down');
    for (const result of [await reviewed([1, 2, 3]), await reviewed([], { review: { onReview } })]) {
      expect(result.report.degradations).toMatchObject([{ stage: 'review', code: 'review-failed' }]);
      expect(idsOf(result.context)).toEqual(['cats', 'dogs']);
    }
  });

  test('cannot be asked without a checkpointer or a function', async () => {
    const graph = createCragGraph({ grader: fixedGrader(), review: true });
    await expect(graph.invoke({ query, documents: documents(0.5) })).rejects.toMatchObject({
      kind: 'invalid-options',
      field: 'review',
    });
  });

  test('is asked a hundred times at most', async () => {
    const edits = Array.from({ length: 200 }, (_, at) => ({ action: 'edit', query: `Question ${at}?` }));
    const { requests, report } = await reviewed(edits, {
      review: { maxReviews: 100 },
      webSearch: async () => [],
    });
    expect(requests).toHaveLength(100);
    expect(report.crag).toMatchObject({ query: 'Question 99?' });
  });
});

describe('the verdict', () => {
  const found = { webSearch: async () => [web('found', 0.9)] };
  test.each<[string, unknown[], ReviewedFields, string]>([
    ['approves the context', [approve], {}, 'approved'],
    ['answers', [{ action: 'answer', answer: 'Thirteen hours.' }], {}, 'answered'],
    ['refuses', [{ action: 'refuse' }], {}, 'refused'],
    ['declines a search', [false], { ...found, review: { on: ['before-search'] } }, 'approved'],
    ['allows a search', [true], { ...found, review: { on: ['before-search'] } }, 'correct'],
    ['searches with other words', [{ ...approve, search: 'sleep' }], { ...found, maxAttempts: 0 }, 'correct'],
    [
      'asks another question',
      [{ action: 'edit', query: 'Which?' }],
      { review: { maxReviews: 1 } },
      'ambiguous',
    ],
    ['cannot be reached', [1, 2, 3], {}, 'ambiguous'],
  ])('after a person who %s', async (_, answers, fields, verdict) => {
    const result = await reviewed(answers, fields);
    expect(result.verdict).toBe(verdict);
    expect(result.report.crag?.verdict).toBe(verdict);
    expect(schemaErrors(result.report)).toEqual([]);
  });
});

describe('another question', () => {
  test('is shaped, graded and searched for anew', async () => {
    const grader = fixedGrader();
    const { searches, webSearch } = recorded(() => []);
    const { context, report, requests } = await reviewed(
      [{ action: 'edit', query: 'What is the ferry like?' }, approve],
      { grader, webSearch },
      [cats, low('ferry')],
    );
    expect(requests.map(({ query: asked }) => asked)).toEqual([query, 'What is the ferry like?']);
    expect(grader.graded.toSorted()).toEqual(['cats', 'cats', 'ferry', 'ferry']);
    expect(searches).toEqual(['long cats dogs sleep', 'ferry like']);
    expect(report.query).toBe(query);
    expect(report.crag?.query).toBe('What is the ferry like?');
    expect([idsOf(context), ledgerOf(report)]).toEqual([['cats'], ['cats', 'ferry']]);
  });
});

test('a refusal leaves nothing', async () => {
  for (const no of ['refuse', false, { action: 'refuse', by: 'Ada' }]) {
    const { context, report } = await reviewed([no], { webSearch: async () => [web('found', 0.5)] });
    expect(context).toEqual([]);
    expect(report.crag?.outcome).toBe('refused');
    expect(report.tokens.output).toBe(0);
    expect(report.evicted.map(({ reason }) => reason)).toEqual(['vetoed', 'vetoed', 'vetoed']);
    expect(ledgerOf(report)).toEqual(['cats', 'dogs', 'found']);
  }
});

describe('a search', () => {
  const review: NonNullable<ReviewedFields['review']> = { on: ['before-search'] };
  const searching = async (answers: unknown[], fields: ReviewedFields = {}) => {
    const { searches, webSearch } = recorded((count) => [web(`found-${count}`, 0.4)]);
    return { searches, ...(await reviewed(answers, { webSearch, review, ...fields })) };
  };

  test('is asked for with its words, which can be changed, or denied', async () => {
    const yes = await searching([true]);
    expect(yes.requests).toMatchObject([
      { about: 'search', search: 'long cats dogs sleep', reasons: ['before-search'] },
    ]);
    expect(yes.searches).toEqual(['long cats dogs sleep']);
    expect((await searching([{ ...approve, search: 'pets' }])).searches).toEqual(['pets']);
    for (const no of [false, { ...approve, search: false }, 'refuse'])
      expect((await searching([no])).searches).toEqual([]);
  });

  test('takes place with leave alone, also if no person may be asked any more, or can be', async () => {
    const often = await searching([true, true, true, true], {
      maxAttempts: 10,
      review: { ...review, maxReviews: 2 },
    });
    expect([often.requests.length, often.searches.length]).toEqual([2, 2]);
    const onReview = async () => Promise.reject(new Error('away'));
    expect((await searching([], { review: { ...review, onReview } })).searches).toEqual([]);
  });

  test('that a person asks for comes on top of the attempts', async () => {
    const { searches, report } = await searching([{ ...approve, search: 'pets' }, approve], {
      review: {},
      maxAttempts: 1,
    });
    expect(searches).toEqual(['long cats dogs sleep', 'pets']);
    expect(idsOf(report.kept)).toEqual(['cats', 'dogs', 'found-1', 'found-2']);
  });
});

test('an interrupt waits for an answer that can be understood', async () => {
  const graph = createCragGraph({ grader: fixedGrader(), review: true, checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: 't' } };
  await graph.invoke({ query, documents: documents(0.5) }, config);
  const again = await graph.invoke(new Command({ resume: { action: 'approve', veto: ['nobody'] } }), config);
  expect(again).toMatchObject({
    __interrupt__: [{ value: { round: 1, problem: expect.stringContaining('nobody') } }],
  });
  const { context } = await graph.invoke(
    new Command({ resume: { action: 'approve', veto: ['dogs'] } }),
    config,
  );
  expect(idsOf(context)).toEqual(['cats']);
});

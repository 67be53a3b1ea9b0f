/** People: their requests, and the effect of each answer. */
import type { DocumentInterface } from '@langchain/core/documents';
import { createCragGraph, type ReviewAnswer, type ReviewReason } from 'context-shaping/langgraph';
import { describe, expect, test } from 'vitest';
import {
  documents,
  fixedGrader,
  idsOf,
  ledgerOf,
  query,
  recorded,
  reviewed,
  schemaErrors,
  web,
} from './support.js';

const approve = { action: 'approve' } satisfies ReviewAnswer;
const [cats, dogs] = documents(0.5) as [DocumentInterface, DocumentInterface];
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
    expect(await asked(['conflict'], 0.1)).toEqual([]);
  });

  test('is asked again when the answer cannot be understood, and told why', async () => {
    const answers = [
      { action: 'aprove' },
      { ...approve, keep: ['nobody'] },
      { ...approve, search: 'cats' },
      approve,
    ];
    const { requests, report } = await reviewed(answers);
    expect(requests.map(({ problem }) => problem)).toEqual([
      undefined,
      expect.stringContaining('answer.action'),
      expect.stringContaining('answer.keep.0'),
      expect.stringContaining('answer.search needs a web search'),
    ]);
    expect(report.crag?.reviews).toHaveLength(1);
  });

  test('cannot be asked without a checkpointer', async () => {
    const graph = createCragGraph({ grader: fixedGrader(), review: true });
    await expect(graph.invoke({ query, documents: documents(0.5) })).rejects.toMatchObject({
      kind: 'invalid-options',
      field: 'review',
    });
  });

  test('is asked five times at most', async () => {
    const searches = Array.from({ length: 9 }, (_, at) => ({ ...approve, search: `words ${at}` }));
    const { requests, report } = await reviewed(searches, { webSearch: async () => [] });
    expect(requests).toHaveLength(5);
    expect(report.crag?.searches.at(-1)).toMatchObject({ query: 'words 4' });
  });
});

describe('the verdict', () => {
  test.each<[string, unknown, string]>([
    ['approves the context', approve, 'approved'],
    ['answers', { action: 'answer', answer: 'Thirteen hours.' }, 'answered'],
    ['refuses', { action: 'refuse' }, 'refused'],
  ])('after a person who %s', async (_, answer, verdict) => {
    const result = await reviewed([answer]);
    expect(result.verdict).toBe(verdict);
    expect(result.report.crag?.verdict).toBe(verdict);
    expect(schemaErrors(result.report)).toEqual([]);
  });
});

describe('the documents that an answer keeps', () => {
  test('are the only ones; the others go with the name and the note of the person', async () => {
    const answer = { ...approve, keep: ['cats'], by: 'Ada', note: 'about dogs' };
    const { context, report } = await reviewed([answer]);
    expect(context).toEqual([cats]);
    expect(report.crag?.reviews).toEqual([{ reasons: ['ambiguous'], ...answer }]);
    expect(report.evicted).toMatchObject([
      { id: 'dogs', index: 1, stage: 'review', reason: 'vetoed', by: 'Ada', note: 'about dogs' },
    ]);
  });

  test('come back whole, with any grade, in any budget that they fit', async () => {
    const long = 'Cats sleep and sleep. '.repeat(30);
    const retrieved = [{ ...cats, pageContent: `${long} How long do cats sleep?` }, dogs, low('ferry')];
    const { context, report } = await reviewed(
      [{ ...approve, keep: ['dogs', 'ferry'] }],
      { shaper: { budget: { maxTokens: 20 } } },
      retrieved,
    );
    expect(context).toEqual(expect.arrayContaining([dogs, low('ferry')]));
    expect(report.tokens.output).toBeLessThanOrEqual(20);
    expect(ledgerOf(report)).toEqual(['cats', 'dogs', 'ferry']);
  });

  test('may be one of two copies, or none', async () => {
    const copies = [cats, { ...cats, id: 'copy' }];
    expect(idsOf((await reviewed([{ ...approve, keep: ['copy'] }], {}, copies)).context)).toEqual(['copy']);
    expect((await reviewed([{ ...approve, keep: [] }], {}, copies)).context).toEqual([]);
  });
});

test('a refusal leaves nothing', async () => {
  const refusal = { action: 'refuse', by: 'Ada' };
  const { context, report } = await reviewed([refusal], { webSearch: async () => [web('found', 0.5)] });
  expect(context).toEqual([]);
  expect(report.crag?.outcome).toBe('refused');
  expect(report.tokens.output).toBe(0);
  expect(report.evicted.map(({ reason }) => reason)).toEqual(['vetoed', 'vetoed', 'vetoed']);
  expect(ledgerOf(report)).toEqual(['cats', 'dogs', 'found']);
});

describe('an answer', () => {
  test('becomes a document that stays ahead of all others', async () => {
    const answer = 'Cats sleep 13 hours, dogs 11.';
    const { context, report } = await reviewed([{ action: 'answer', answer, by: 'Ada', keep: ['cats'] }], {
      shaper: { budget: { maxTokens: 21 } },
    });
    expect(context).toContainEqual({ id: 'answer-1', pageContent: answer, metadata: { source: 'Ada' } });
    expect(report.crag).toMatchObject({ outcome: 'answered', answer });
    expect(report.tokens.output).toBeLessThanOrEqual(21);
    expect(ledgerOf(report)).toEqual(['cats', 'dogs', 'answer-1']);
  });

  test('is not confused with a document of the same id', async () => {
    const retrieved = [{ ...cats, id: 'answer-1' }];
    const { context, report } = await reviewed([{ action: 'answer', answer: 'Thirteen.' }], {}, retrieved);
    expect(context.map(({ pageContent }) => pageContent).sort()).toEqual([cats.pageContent, 'Thirteen.']);
    expect(report.kept.map(({ sources }) => sources.length)).toEqual([1, 1]);
  });
});

test('a search that a person asks for comes on top of that of the graph', async () => {
  const { searches, webSearch } = recorded((count) => [web(`found-${count}`, 0.4)]);
  const { report } = await reviewed([{ ...approve, search: 'pets' }, approve], { webSearch });
  expect(searches).toEqual(['How long do cats and dogs sleep?', 'pets']);
  expect(idsOf(report.kept)).toEqual(['cats', 'dogs', 'found-1', 'found-2']);
});

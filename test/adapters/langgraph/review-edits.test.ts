/** Answers about single documents, and documents that people add. */
import type { DocumentInterface } from '@langchain/core/documents';
import type { ReviewAnswer } from 'context-shaping/langgraph';
import { describe, expect, test } from 'vitest';
import { documents, idsOf, ledgerOf, reviewed } from './support.js';

const approve = { action: 'approve' } satisfies ReviewAnswer;
const [cats, dogs] = documents(0.5) as [DocumentInterface, DocumentInterface];
const low = (id: string): DocumentInterface => ({
  id,
  pageContent: `The ferry ${id} is blue.`,
  metadata: { grade: 0.1 },
});

describe('single documents', () => {
  test('a pinned document stays in any budget that it fits, with any grade', async () => {
    const long = 'Cats sleep and sleep. '.repeat(30);
    const retrieved = [{ ...cats, pageContent: `${long} How long do cats sleep?` }, dogs, low('ferry')];
    const { context, report } = await reviewed(
      [{ ...approve, unevict: ['dogs', 'ferry'] }],
      { shaper: { budget: { maxTokens: 20 } } },
      retrieved,
    );
    expect(context).toEqual(expect.arrayContaining([dogs, low('ferry')]));
    expect(report.tokens.output).toBeLessThanOrEqual(20);
    expect(ledgerOf(report)).toEqual(['cats', 'dogs', 'ferry']);
  });

  test('a restored document is whole, also if it had been evicted as a copy or over a budget', async () => {
    const more = Array.from({ length: 8 }, (_, at) => ({
      id: `more${at}`,
      pageContent: `Volume ${at} describes in which of its ${at} chapters the sleeping hours of pets are counted.`,
      metadata: { grade: 0.5 },
    }));
    const shaper = { budget: { maxTokens: 40 }, extract: false } as const;
    const before = await reviewed([approve], { shaper }, more);
    const gone = before.requests[0]?.evicted.at(-1)?.id as string;
    const { context, report } = await reviewed([{ ...approve, unevict: [gone] }], { shaper }, more);
    expect(context).toContainEqual(more.find(({ id }) => id === gone));
    expect(report.tokens.output).toBeLessThanOrEqual(40);
    expect(ledgerOf(report)).toEqual(more.map(({ id }) => id));
  });

  test.each([
    ['the same copy', cats.pageContent],
    ['the same with another article', 'Cats sleep for most of a day.'],
    ['a copy but for case and punctuation', `${cats.pageContent.toUpperCase()}!`],
  ])('a vetoed document does not come back with another question as %s', async (_, pageContent) => {
    const { context, report } = await reviewed(
      [{ action: 'edit', query: 'How do cats sleep?', veto: ['cats'] }, approve],
      {},
      [cats, { ...cats, id: 'copy', pageContent }, dogs],
    );
    expect(idsOf(context)).toEqual(['dogs']);
    expect(report.evicted).toMatchObject([
      { id: 'cats', reason: 'vetoed' },
      { id: 'copy', reason: 'vetoed' },
    ]);
  });

  test('a vetoed document does not come back from the web either', async () => {
    const found = { ...cats, id: 'page', metadata: { grade: 0.9 } };
    const { context, report } = await reviewed(
      [{ ...approve, veto: ['cats'], search: 'cats', by: 'Ada' }, approve],
      { maxAttempts: 0, webSearch: async () => [found] },
    );
    expect(idsOf(context)).toEqual(['dogs']);
    expect(report.evicted).toMatchObject([
      { id: 'cats', reason: 'vetoed', by: 'Ada' },
      { id: 'page', index: 2, reason: 'vetoed', by: 'Ada' },
    ]);
  });

  test('of two copies one can go and the other come back', async () => {
    const { context } = await reviewed([{ ...approve, veto: ['cats'], unevict: ['copy'] }], {}, [
      cats,
      { ...cats, id: 'copy' },
    ]);
    expect(idsOf(context)).toEqual(['copy']);
  });
});

describe('an answer', () => {
  test('becomes a document that stays ahead of all others', async () => {
    const answer = 'Cats sleep 13 hours, dogs 11.';
    const { context, report } = await reviewed([{ action: 'answer', answer, by: 'Ada', veto: ['dogs'] }], {
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

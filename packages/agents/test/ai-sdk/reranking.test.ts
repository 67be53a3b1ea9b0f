import { createShaper, type ShapingReport } from 'context-shaping';
import { shapedReranking } from 'context-shaping-agents/ai-sdk';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deepFreeze, ledger, text } from '../../../../test/support.js';

const query = 'When was the bridge opened?';
const texts = [
  'Cats sleep for most of the day.',
  'The bridge was opened in 1932.',
  'The bridge was opened in 1932.',
  'Trains cross the bridge each hour.',
];
const ofTexts = (values: readonly string[], rest: object = {}) => ({
  documents: { type: 'text' as const, values },
  query,
  ...rest,
});

test('the ranking has whole documents, the best first, without copies', async () => {
  const { ranking, providerMetadata } = await shapedReranking({ ranked: false }).doRerank(ofTexts(texts));
  expect(ranking[0]?.index).toBe(1);
  expect(ranking.map(({ index }) => index)).not.toContain(2);
  const report = providerMetadata.contextShaping as unknown as ShapingReport;
  expect(ledger(report)).toEqual([0, 1, 2, 3]);
  expect(report.evicted).toContainEqual(expect.objectContaining({ id: '2', reason: 'exact-duplicate' }));
});

test('objects are ranked by all their fields', async () => {
  const values = deepFreeze(texts.map((words, page) => ({ page, body: { words } })));
  const { ranking } = await shapedReranking({ ranked: false }).doRerank({
    documents: { type: 'object', values },
    query,
    topN: 1,
  });
  expect(ranking).toEqual([{ index: 1, relevanceScore: expect.any(Number) }]);
});

test('a document that is longer than the budget is named in a warning', async () => {
  const long = `The bridge was opened in 1932. ${'It carries eight lanes of traffic. '.repeat(20)}`;
  const model = shapedReranking({ ranked: false, budget: { maxTokens: 40, reserve: 10 } });
  const { ranking, warnings } = await model.doRerank(ofTexts([...texts, long]));
  expect(ranking.map(({ index }) => index)).not.toContain(4);
  expect(warnings[0]?.message).toMatch(/than the budget of 30: documents 4\. Give .* at least 1\d\d /);
  expect((await model.doRerank(ofTexts(texts))).warnings).toEqual([]);
});

test('topN limits the ranking, and nothing but the ranking', async () => {
  for (let topN = 1; topN <= 3; topN++) {
    const { ranking, providerMetadata } = await shapedReranking().doRerank(ofTexts(texts, { topN }));
    expect(ranking).toHaveLength(topN);
    expect(ledger(providerMetadata.contextShaping as unknown as ShapingReport)).toEqual([0, 1, 2, 3]);
  }
});

test('no document is cut, and the kept ones fit the budget', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { maxLength: 8 }),
      fc.integer({ min: 1, max: 80 }),
      async (values, maxTokens) => {
        const model = shapedReranking({ budget: { maxTokens }, allowEmpty: true });
        const { ranking, providerMetadata } = await model.doRerank(ofTexts(deepFreeze(values)));
        const report = providerMetadata.contextShaping as unknown as ShapingReport;
        expect(ledger(report)).toEqual(values.map((_, index) => index));
        expect(report.kept.filter(({ excerpts }) => excerpts !== undefined)).toEqual([]);
        expect(report.tokens.output).toBeLessThanOrEqual(maxTokens);
        expect(ranking.map(({ index }) => index).sort()).toEqual(
          report.kept.map(({ index }) => index).sort(),
        );
        for (const [at, { relevanceScore }] of ranking.entries()) {
          expect(relevanceScore).toBeGreaterThanOrEqual(0);
          expect(relevanceScore).toBeLessThanOrEqual(ranking[at - 1]?.relevanceScore ?? 1);
        }
      },
    ),
    { numRuns: 200 },
  );
});

test('a ready shaper is used as it is', async () => {
  const shaper = createShaper({ k: 1, ranked: false });
  expect((await shapedReranking(shaper).doRerank(ofTexts(texts))).ranking).toHaveLength(1);
});

test('the abort of the caller ends it', async () => {
  const abortSignal = AbortSignal.abort(new Error('Enough.'));
  await expect(shapedReranking().doRerank(ofTexts(texts, { abortSignal }))).rejects.toThrow('Enough.');
});

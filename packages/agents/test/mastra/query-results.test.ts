import { type ContextShapingError, createShaper } from 'context-shaping';
import { type QueryResultLike, shapeQueryResults } from 'context-shaping-agents/mastra';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const QUERY = 'How long does the warranty last?';
const LONG =
  'Batteries are covered by a warranty of one year. The office in Oslo opens at nine. Lunch is served at noon.';

const results: QueryResultLike[] = [
  {
    id: 'terms',
    score: 0.83,
    metadata: { text: 'The warranty lasts three years.', page: 3 },
    vector: [1, 0],
  },
  { id: 'copy', score: 0.82, metadata: { text: 'The warranty lasts three years.' }, vector: [1, 0] },
  { id: 'image', score: 0.8, metadata: { url: 'x.png' }, vector: [0.6, 0.8] },
  { id: 'battery', score: 0.7, metadata: { text: LONG }, document: LONG, vector: [0, 1] },
];

describe('shapeQueryResults', () => {
  test('keeps results as they are, leaves copies out, and keeps those without a text', async () => {
    const given = structuredClone(results);
    const { results: kept, report } = await shapeQueryResults(results, { query: QUERY });
    expect(kept).toEqual([results[0], results[3], results[2]]);
    expect(kept[0]).toBe(results[0]);
    expect(results).toEqual(given);
    expect(report.evicted).toMatchObject([{ id: 'copy', reason: 'exact-duplicate', keptId: 'terms' }]);
  });

  test('a cut result has its new text where the old one was, and no vector of the old one', async () => {
    const { results: kept } = await shapeQueryResults(results, { query: QUERY, budget: { maxTokens: 22 } });
    const cut = 'Batteries are covered by a warranty of one year.';
    expect(kept[1]).toEqual({ id: 'battery', score: 0.7, metadata: { text: cut }, document: cut });
  });

  test('other texts in the metadata stay', async () => {
    const given = [{ id: 'a', score: 1, document: LONG, metadata: { text: 'a title', page: 1 } }];
    const { results: kept } = await shapeQueryResults(given, { query: QUERY, budget: { maxTokens: 14 } });
    expect(kept[0]?.document).not.toBe(LONG);
    expect(kept[0]?.metadata).toEqual({ text: 'a title', page: 1 });
  });

  test('takes a shaper, and options beside it', async () => {
    const shaper = createShaper({ k: 2 });
    const two = await shapeQueryResults(results, { query: QUERY, shaper });
    const one = await shapeQueryResults(results, { query: QUERY, shaper, k: 1 });
    expect(two.results.map(({ id }) => id)).toEqual(['terms', 'battery', 'image']);
    expect(one.results.map(({ id }) => id)).toEqual(['terms', 'image']);
  });

  test('refuses a value that is no list of results, and wrong options; an abort rejects', async () => {
    const refused = (call: Promise<unknown>) =>
      call.then(
        () => undefined,
        (error: unknown) => error as ContextShapingError,
      );
    expect(await refused(shapeQueryResults('x' as never, { query: QUERY }))).toMatchObject({
      kind: 'invalid-input',
      field: 'results',
    });
    expect(await refused(shapeQueryResults(results, { query: QUERY, topK: 3 } as never))).toMatchObject({
      kind: 'invalid-options',
      field: 'topK',
    });
    const reason = new Error('enough');
    const signal = AbortSignal.abort(reason);
    expect(await refused(shapeQueryResults(results, { query: QUERY, signal }))).toBe(reason);
    expect(await shapeQueryResults([], { query: QUERY })).toMatchObject({ results: [] });
  });

  test('is the shaper on the same texts: the same results stay, in the given order', async () => {
    const words = ['warranty', 'lasts', 'years', 'office', 'Oslo', 'lunch', 'noon', 'three'];
    const text = fc
      .array(fc.constantFrom(...words), { minLength: 1, maxLength: 12 })
      .map((all) => `${all.join(' ')}.`);
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { maxLength: 12 }),
        fc.integer({ min: 5, max: 80 }),
        async (texts, maxTokens) => {
          const given = texts.map((each, n) => ({ id: `${n}`, score: 1 - n / 20, metadata: { text: each } }));
          const budget = { maxTokens };
          const { results: kept } = await shapeQueryResults(given, { query: QUERY, budget });
          const { chunks } = await createShaper({ budget, order: 'input' }).shape({
            query: QUERY,
            chunks: given.map(({ id, score, metadata }) => ({ id, score, text: metadata.text, metadata })),
          });
          expect(kept.map(({ id, metadata }) => [id, metadata.text])).toEqual(
            chunks.map(({ id, text: now }) => [id, now]),
          );
          const order = kept.map(({ id }) => Number(id));
          expect(order).toEqual([...order].sort((a, b) => a - b));
        },
      ),
      { numRuns: 200 },
    );
  });
});

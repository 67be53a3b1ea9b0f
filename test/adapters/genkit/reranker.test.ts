/** The reranker alone; `test/hosts/genkit.test.ts` has it in Genkit. */
import { ContextShapingError, createShaper } from 'context-shaping';
import { shapedReranker } from 'context-shaping/genkit';
import { describe, expect, test } from 'vitest';

const query = { content: [{ text: 'How long does the ' }, { text: 'warranty last?' }] };
const of = (...texts: string[]) => texts.map((text) => ({ content: [{ text }], metadata: {} }));

describe('shapedReranker', () => {
  test('parts of other kinds stay beside a cut text, and nothing given is changed', async () => {
    const documents = [
      {
        content: [
          { media: { url: 'x.png' } },
          { text: 'The warranty lasts three years. ' },
          { text: 'Lunch is served at noon in Oslo.' },
        ],
        metadata: { page: 1 },
      },
    ];
    const given = structuredClone(documents);
    const { documents: ranked } = await shapedReranker({ budget: { maxTokens: 10 } })(query, documents);
    expect(ranked).toEqual([
      {
        content: [{ media: { url: 'x.png' } }, { text: 'The warranty lasts three years.' }],
        metadata: { page: 1, score: expect.any(Number) },
      },
    ]);
    expect(documents).toEqual(given);
  });

  test('scores are relevances of the pool, and do not rise', async () => {
    const texts = ['Lunch is at noon.', 'The warranty lasts three years.', 'Batteries have a warranty.'];
    const { documents } = await shapedReranker()(query, of(...texts));
    const scores = documents.map(({ metadata }) => metadata.score);
    expect(documents[0]?.content).toEqual([{ text: texts[1] }]);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
  });

  test('k of the call replaces k of the options; a shaper is taken as it is', async () => {
    const rerank = shapedReranker(createShaper({ k: 2 }));
    const documents = of(
      'The warranty lasts three years.',
      'Batteries have a warranty.',
      'Lunch is at noon.',
    );
    expect((await rerank(query, documents)).documents).toHaveLength(2);
    expect((await rerank(query, documents, { k: 1 })).documents).toHaveLength(1);
    expect((await rerank(query, [], {})).documents).toEqual([]);
  });

  test('wrong options are refused when the reranker is made', () => {
    expect(() => shapedReranker({ topK: 3 } as never)).toThrow(ContextShapingError);
  });
});

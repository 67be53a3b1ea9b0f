/** Our reranker, defined in and asked through the real Genkit. */
import { expect, test } from 'vitest';
import { shapedReranker } from '../../adapters/genkit/index.js';
import type { ShapingReport } from '../../src/index.js';

const genkit = await Promise.all([
  import('@genkit-ai/ai/reranker'),
  import('@genkit-ai/ai/retriever'),
  import('@genkit-ai/core'),
  import('@genkit-ai/core/registry'),
  import('@genkit-ai/core/node'),
]).catch(() => undefined);

const QUESTION = 'How long does the warranty last?';
const TEXTS = [
  'The warranty lasts three years from delivery.',
  'The warranty lasts three years from delivery.',
  'The warranty of batteries is one year. The office in Oslo opens at nine. Lunch is at noon.',
  'We are hiring engineers in Lisbon and Oslo.',
];

test.skipIf(genkit === undefined)('Genkit defines and asks the reranker, and gets scores', async () => {
  const [
    { CommonRerankerOptionsSchema, defineReranker, rerank },
    { Document },
    { z },
    { Registry },
    { initNodeFeatures },
  ] = genkit as NonNullable<typeof genkit>;
  initNodeFeatures();
  const registry = new Registry();
  const reports: ShapingReport[] = [];
  defineReranker(
    registry,
    { name: 'shaped', configSchema: CommonRerankerOptionsSchema.extend({ why: z.string().optional() }) },
    shapedReranker({ budget: { maxTokens: 20 }, onReport: (report) => void reports.push(report) }),
  );
  const image = Document.fromMedia('https://example.org/a.png', 'image/png', { page: 1 });
  const documents = [...TEXTS.map((text, place) => Document.fromText(text, { place })), image];
  const given = structuredClone(documents.map((document) => document.toJSON()));

  const ranked = await rerank(registry, { reranker: 'shaped', query: QUESTION, documents });
  expect(ranked.map(({ metadata }) => metadata.place ?? 'image')).toEqual([0, 2, 'image']);
  expect(ranked[0]?.text).toBe(TEXTS[0]);
  expect(ranked[1]?.text).toBe('The warranty of batteries is one year.');
  const scores = ranked.map((document) => document.score());
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  expect(documents.map((document) => document.toJSON())).toEqual(given);
  expect(reports[0]?.evicted.map(({ id }) => id)).toEqual(['doc-1', 'doc-3']);

  const one = await rerank(registry, { reranker: 'shaped', query: QUESTION, documents, options: { k: 1 } });
  expect(one.map(({ metadata }) => metadata.place ?? 'image')).toEqual([0, 'image']);
});

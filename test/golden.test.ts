/**
 * Whole reports, to the byte, on a fixed pool. They change only when results are meant to change; then
 * regenerate them with `npx vitest run test/golden.test.ts -u` and read the difference.
 */
import { createShaper, type ShapingOptions } from 'context-shaping';
import { expect, test } from 'vitest';
import { chunks, embed, embedded, question } from './pool.js';
import { byEntropy, timeless } from './support.js';

const CASES: Record<string, { options: ShapingOptions; chunks: typeof chunks; vector?: boolean }> = {
  'no-limits': { options: {}, chunks },
  'budget-estimate': { options: { budget: { maxTokens: 200, reserve: 20 } }, chunks },
  'budget-exact': { options: { budget: { maxTokens: 120 }, tokenizer: 'o200k_base' }, chunks },
  'k-with-vectors': { options: { k: 5, select: { lambda: 0.5 } }, chunks: embedded, vector: true },
  'ward-clusters': {
    options: {
      k: 6,
      cluster: { linkage: 'ward', maxDistance: 0.4, representative: 'centroid' },
      order: 'source',
    },
    chunks: embedded,
    vector: true,
  },
  slimcontext: {
    options: {
      k: 8,
      semanticDedup: { maxDistance: 0.001 },
      cluster: { maxDistance: 0.15 },
      select: { lambda: 0.5 },
      budget: { maxTokens: 300 },
    },
    chunks: embedded,
    vector: true,
  },
  entropy: { options: { ...byEntropy, budget: { maxTokens: 150 }, order: 'edges-first' }, chunks },
  'nothing-fits': {
    options: { budget: { maxTokens: 6 }, tokenizer: 'cl100k_base' },
    chunks: chunks.slice(0, 4),
  },
};

test.each(Object.entries(CASES))('%s', async (name, { options, chunks: given, vector }) => {
  const query = vector ? { text: question, embedding: embed(question) } : question;
  const { report } = await createShaper(options).shape({ query, chunks: given });
  await expect(`${JSON.stringify(timeless(report), null, 2)}\n`).toMatchFileSnapshot(`golden/${name}.json`);
});

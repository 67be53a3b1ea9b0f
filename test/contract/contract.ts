/**
 * The behaviour that every way into the package shares. An adapter passes when it keeps the chunks that the core
 * keeps, in that order, for the same input and the same word on whether it is a ranking; mutates nothing; and lets the caller's mistakes through as typed
 * errors. A new adapter needs one `Front`.
 */
import { type Chunk, ContextShapingError, createShaper, type ShapingOptions } from 'context-shaping';
import { describe, expect, test } from 'vitest';
import { chunks, question } from '../pool.js';
import { deepFreeze, ids } from '../support.js';

export interface Front {
  name: string;
  /** @returns the ids of the returned chunks, in order. */
  run(options: ShapingOptions, query: string, given: readonly Chunk[]): Promise<string[]>;
}

const SETTINGS: Record<string, ShapingOptions> = {
  defaults: {},
  '200 tokens': { budget: { maxTokens: 200 } },
  '120 tokens, exact': { budget: { maxTokens: 120, reserve: 10 }, tokenizer: 'o200k_base' },
  'k 5, diverse': { k: 5, select: { lambda: 0.3 } },
  'by source': { k: 8, budget: { maxTokens: 300, perSource: 60 }, order: 'source' },
  'SlimContext’s numbers': {
    k: 8,
    semanticDedup: { maxDistance: 0.001 },
    cluster: { maxDistance: 0.15 },
    select: { lambda: 0.5 },
  },
  'cut to fit': { budget: { maxTokens: 5 }, tokenizer: 'o200k_base' },
  'no ranking': { k: 5, ranked: false },
};

export function shapingContract(front: Front): void {
  describe(front.name, () => {
    test.each(Object.entries(SETTINGS))('keeps what the core keeps: %s', async (_, setting) => {
      const options = { ranked: true, ...setting };
      const expected = await createShaper(options).shape({ query: question, chunks });
      expect(await front.run(options, question, deepFreeze(structuredClone(chunks)))).toEqual(
        ids(expected.chunks),
      );
    });

    test('gives nothing for nothing', async () => {
      expect(await front.run({ k: 3 }, question, [])).toEqual([]);
    });

    test('takes an empty question', async () => {
      const expected = await createShaper({ k: 3, ranked: true }).shape({ query: '', chunks });
      expect(await front.run({ k: 3, ranked: true }, '', chunks)).toEqual(ids(expected.chunks));
    });

    test('refuses a wrong option with an error that names it', async () => {
      const run = async () => front.run({ select: { lambda: 2 } }, question, chunks);
      const error = await run().catch((thrown: unknown) => thrown);
      expect(ContextShapingError.isInstance(error) ? error.field : String(error)).toContain('select.lambda');
    });
  });
}

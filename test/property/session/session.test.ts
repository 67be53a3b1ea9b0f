import { createShaper, type SessionOverrides, type ShapingOptions } from 'context-shaping';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { insideOf } from '../../../src/internal.js';
import { options, pool, timeless } from '../../support.js';

const CASES = 600;

const overrides: fc.Arbitrary<SessionOverrides> = fc.record(
  {
    budget: fc.record({ maxTokens: fc.option(fc.integer({ min: 1, max: 400 }), { nil: undefined }) }),
    k: fc.option(fc.integer({ min: 1, max: 12 })),
    select: fc.record({ lambda: fc.constantFrom(0, 0.3, 0.5, 0.9, 1) }),
    cluster: fc.constantFrom<ShapingOptions['cluster']>(
      false,
      { maxPerCluster: 2 },
      { maxDistance: 0.6, linkage: 'ward' },
      { maxDistance: 0.4, representative: 'longest' },
    ),
    extract: fc.constantFrom<ShapingOptions['extract']>(false, { gap: ' … ' }, { gap: '' }),
    semanticDedup: fc.constantFrom<ShapingOptions['semanticDedup']>(false, { maxDistance: 0.3 }),
    relevance: fc.constantFrom<ShapingOptions['relevance']>(
      false,
      { floor: 0.2 },
      { weights: { bm25: 1, title: 3 } },
    ),
    order: fc.constantFrom<ShapingOptions['order']>('edges-first', 'source', false),
    sanitise: fc.constantFrom<ShapingOptions['sanitise']>('strip', false),
    tokenizer: fc.constantFrom<ShapingOptions['tokenizer']>('estimate', 'characters/4'),
    pin: fc.constantFrom<string[][]>([], ['c0']),
  },
  { requiredKeys: [] },
);

test(`${CASES} generated sessions: every step has the bits of a full run`, async () => {
  let kept = 0;
  await fc.assert(
    fc.asyncProperty(
      pool(12),
      options,
      fc.array(overrides, { minLength: 1, maxLength: 5 }),
      async (given, settings, steps) => {
        const shaper = createShaper(settings as ShapingOptions);
        const own = { query: 'How long is the bridge?', chunks: given };
        const session = shaper.session(own);
        for (const step of [{}, ...steps, {}]) {
          let derived: ReturnType<typeof shaper.with>;
          try {
            derived = shaper.with(step);
          } catch (error) {
            await expect(session.at(step)).rejects.toEqual(error);
            continue;
          }
          const full = await derived.shape(own);
          const again = await session.at(step);
          expect(timeless(again.report)).toEqual(timeless(full.report));
          expect(again.chunks).toEqual(full.chunks);
          const { kept: places, isUnknown } = await (
            insideOf(session) as NonNullable<ReturnType<typeof insideOf>>
          ).outcome({ overrides: step });
          expect([...places.keys()]).toEqual(full.report.kept.map(({ index }) => index));
          expect(isUnknown).toBe(false);
          kept += full.chunks.length;
        }
      },
    ),
    { numRuns: CASES },
  );
  expect(kept).toBeGreaterThan(CASES);
});

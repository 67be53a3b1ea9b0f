/** Every claim of an explanation is a run: compared with full runs of shapers of their own. */
import { createShaper, type ShapingOptions } from 'context-shaping';
import { explain } from 'context-shaping/explain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FAULTS } from '../../../adapters/explain/faults.js';
import { Oracle } from '../../../adapters/explain/oracle.js';
import { options, pool } from '../../../support.js';

describe('every value of every range', () => {
  const asked = FAULTS.filter(({ cause }) => !['embedder-failed', 'low-utility', 'custom'].includes(cause));
  test.each(asked)('$cause: $is', async ({ options: given, input }) => {
    const shaper = createShaper(given);
    const result = await shaper.shape(input);
    const oracle = new Oracle(given, input);
    for (const index of input.chunks.keys()) await oracle.check(await explain(result, index), true);
  });
});

const CASES = 300;
test(`${CASES} generated pools: the ends of the ranges, one step beside them, and values beyond`, async () => {
  let claims = 0;
  await fc.assert(
    fc.asyncProperty(pool(8), options, fc.nat(), async (chunks, settings, seed) => {
      if (chunks.length === 0) return;
      // The exact vocabulary is slower, and decides nothing here.
      const given: ShapingOptions = { ...(settings as ShapingOptions), tokenizer: 'estimate' };
      const input = { query: 'How long is the bridge?', chunks };
      const result = await createShaper(given).shape(input);
      const oracle = new Oracle(given, input);
      await oracle.check(await explain(result, seed % chunks.length), false);
      claims += oracle.claims;
    }),
    { numRuns: CASES, seed: 20_261_122 },
  );
  expect(claims).toBeGreaterThan(CASES * 10);
});

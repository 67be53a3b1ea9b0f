import { createShaper, type ShapingInput, type ShapingOptions } from 'context-shaping';
import { explain, formatExplanation } from 'context-shaping/explain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FAULTS } from '../../../adapters/explain/faults.js';
import { Oracle } from '../../../adapters/explain/oracle.js';
import { Reader } from '../../../adapters/explain/reader.js';
import { options, pool } from '../../../support.js';

const HOUR = 3_600_000;

/** Explains an evicted chunk and a kept one, and checks the claims. Returns how many there were. */
async function check(given: ShapingOptions, input: ShapingInput, seed: number): Promise<number> {
  const result = await createShaper(given).shape(input);
  const [oracle, reader] = [new Oracle(given, input), new Reader(given, input)];
  for (const all of [result.report.evicted, result.report.kept]) {
    if (all.length === 0) continue;
    const index = all[seed % all.length]?.index as number;
    const explanation = await explain(result, index);
    await oracle.check(explanation);
    // A great width, so that no line breaks.
    await reader.read(formatExplanation(explanation, { width: 1_000_000 }), index);
  }
  expect(reader.untrue).toEqual([]);
  return oracle.claims + reader.checks;
}

describe('every claim about every chunk of a fault', () => {
  const asked = FAULTS.filter(({ cause }) => !['low-utility', 'custom'].includes(cause));
  test.each(asked)('$cause: $is', async ({ options: given, input }) => {
    const result = await createShaper(given).shape(input);
    const oracle = new Oracle(given, input);
    for (const index of input.chunks.keys()) await oracle.check(await explain(result, index));
  });
});

const CASES = Number(process.env.CONTEXT_SHAPING_CASES ?? 300);
test(`${CASES} generated pools`, { timeout: HOUR }, async () => {
  let claims = 0;
  await fc.assert(
    fc.asyncProperty(pool(12), options, fc.nat(), async (chunks, settings, seed) => {
      // The exact vocabulary is slower, and decides nothing here.
      const given: ShapingOptions = { ...(settings as ShapingOptions), tokenizer: 'estimate' };
      claims += await check(given, { query: 'How long is the bridge?', chunks }, seed);
    }),
    { numRuns: CASES, seed: 20_261_122 },
  );
  expect(claims).toBeGreaterThan(CASES * 10);
});

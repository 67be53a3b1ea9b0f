/** Every sentence about chunks of 300 generated pools is read and checked, by full runs of shapers of their own. */
import { createShaper, type ShapingOptions } from 'context-shaping';
import { explain, formatExplanation } from 'context-shaping/explain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Reader } from '../../../adapters/explain/reader.js';
import { options, pool } from '../../../support.js';

const CASES = Number(process.env.CONTEXT_SHAPING_CASES ?? 300);
const HOUR = 3_600_000;
/** No line breaks. */
const WIDE = 1_000_000;

test(`${CASES} generated pools`, { timeout: HOUR }, async () => {
  let [sentences, checks] = [0, 0];
  const untrue: unknown[] = [];
  await fc.assert(
    fc.asyncProperty(pool(10), options, fc.nat(), async (chunks, settings, seed) => {
      if (chunks.length === 0) return;
      // The exact vocabulary is slower, and decides nothing here.
      const given = { ...(settings as ShapingOptions), tokenizer: 'estimate' as const };
      const input = { query: 'How long is the bridge?', chunks };
      const result = await createShaper(given).shape(input);
      const reader = new Reader(given, input);
      const places = [...result.report.evicted.slice(0, 8), ...result.report.kept];
      const index = places[seed % places.length]?.index as number;
      const explanation = await explain(result, index);
      await reader.read(formatExplanation(explanation, { width: WIDE, verbose: true }), index);
      await reader.read(explanation.sentences.join('\n'), index);
      for (const each of reader.untrue) untrue.push({ ...each, index, given, chunks });
      sentences += reader.sentences;
      checks += reader.checks;
    }),
    { numRuns: CASES, seed: 20_261_127 },
  );
  expect(untrue).toEqual([]);
  console.log(`${sentences} sentences, ${checks} checks: none is false.`);
  expect(checks).toBeGreaterThan(CASES * 15);
});

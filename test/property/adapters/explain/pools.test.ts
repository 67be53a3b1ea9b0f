/** Every claim about chunks of 200 generated pools and 50 real ones, by full runs of shapers of their own. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createShaper, type ShapingInput, type ShapingOptions } from 'context-shaping';
import { explain } from 'context-shaping/explain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadNaturalQuestions } from '../../../../packages/research/eval/data/nq.js';
import { Oracle } from '../../../adapters/explain/oracle.js';
import { options, pool } from '../../../support.js';

/** The folder with the public data sets; by default beside the clone. */
const DATA = process.env.CONTEXT_SHAPING_DATA ?? '../shared/data';
const HOUR = 3_600_000;

/** Explains some evicted chunks and a kept one, and checks the claims. Returns how many there were. */
async function check(given: ShapingOptions, input: ShapingInput, most: number): Promise<number> {
  const result = await createShaper(given).shape(input);
  const { evicted, kept } = result.report;
  const asked = [
    ...evicted.filter((_, place) => place % Math.ceil(evicted.length / most) === 0),
    ...kept.slice(-1),
  ];
  const oracle = new Oracle(given, input);
  for (const { index } of asked) await oracle.check(await explain(result, index), false);
  return oracle.claims;
}

test('200 generated pools', { timeout: HOUR }, async () => {
  let claims = 0;
  await fc.assert(
    fc.asyncProperty(pool(20), options, async (chunks, settings) => {
      const given: ShapingOptions = { ...(settings as ShapingOptions), tokenizer: 'estimate' };
      claims += await check(given, { query: 'How long is the bridge?', chunks }, 2);
    }),
    { numRuns: 200, seed: 20_261_123 },
  );
  console.log(`${claims} claims about generated pools hold.`);
  expect(claims).toBeGreaterThan(5_000);
});

test.skipIf(!existsSync(join(DATA, 'nq')))('50 real pools', { timeout: HOUR }, async () => {
  const questions = loadNaturalQuestions(DATA)?.cases.slice(0, 50) ?? [];
  expect(questions).toHaveLength(50);
  const settings: ShapingOptions[] = [
    { budget: { maxTokens: 500 } },
    { k: 6 },
    { budget: { maxTokens: 800, reserve: 200 }, k: 8 },
    { budget: { maxTokens: 900 }, extract: false },
    { budget: { maxTokens: 600 }, select: { lambda: 0.5 }, cluster: { maxDistance: 0.6 } },
  ];
  let claims = 0;
  for (const [place, { question: query, chunks }] of questions.entries()) {
    const given = settings[place % settings.length] as ShapingOptions;
    claims += await check(given, { query, chunks, ranked: false }, 2);
  }
  console.log(`${claims} claims about real pools hold.`);
  expect(claims).toBeGreaterThan(3_000);
});

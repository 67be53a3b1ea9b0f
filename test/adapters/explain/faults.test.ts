/** Every planted fault is named as the cause, and every remedy that is an option is proved by a full run. */
import { createShaper } from 'context-shaping';
import { explain } from 'context-shaping/explain';
import { expect, test } from 'vitest';
import { FAULTS } from './faults.js';

test.each(FAULTS)('$cause: $is', async ({ cause, options, input, id }) => {
  const shaper = createShaper(options);
  const result = await shaper.shape(input);
  expect(result.report.kept.some((entry) => entry.id === id)).toBe(false);
  const explanation = await explain(result, id);
  expect(explanation.cause, explanation.sentences.join('\n')).toBe(cause);
  const { remedy } = explanation;
  if (remedy !== undefined) {
    const again = await shaper.with(remedy.options).shape(input);
    expect(again.report.kept.some((entry) => entry.id === id)).toBe(true);
  }
  if (explanation.counterfactuals?.pin === false) expect(remedy).toBeDefined();
});

/** A stage that some questions are too much for: the thread ends, hangs, waits, or the stage throws. */
import { setTimeout } from 'node:timers/promises';

const stage = {
  specificationVersion: 'v1',
  name: 'fragile',
  async run({ query, candidates }) {
    if (query.text.includes('ends every thread')) process.exit(1);
    while (query.text.includes('never answers'));
    if (query.text.includes('takes a while')) await setTimeout(1000);
    if (query.text.includes('throws')) throw new RangeError('the reason');
    return { kept: candidates, evicted: [] };
  },
};

export default { options: { k: 2, stages: (defaults) => [...defaults, stage] } };

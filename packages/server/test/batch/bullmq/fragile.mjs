/** A stage that some questions are too much for: it throws, waits, ends its thread, or the process as a lack of memory does. */
import { setTimeout } from 'node:timers/promises';

const stage = {
  specificationVersion: 'v1',
  name: 'fragile',
  async run({ query, candidates }) {
    if (query.text.includes('ends the process')) process.kill(process.pid, 'SIGKILL');
    if (query.text.includes('ends every thread')) process.exit(1);
    if (query.text.includes('takes a while')) await setTimeout(1000);
    if (query.text.includes('throws')) throw new RangeError('the reason');
    return { kept: candidates, evicted: [] };
  },
};

export default { options: { stages: (defaults) => [...defaults, stage] } };

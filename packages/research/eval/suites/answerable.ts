/** Does `answerable` tell pools that hold the answer from those that do not? Corrective retrieval acts on it. */
import { LEARNED, loadPools } from '../answerable/sets.js';
import { tableOf } from '../answerable/table.js';
import type { Suite } from './suite.js';

export const answerable: Suite = {
  name: 'answerable',
  async run({ dataDir, limit }) {
    const pools = loadPools(dataDir, limit, () => {});
    if (LEARNED.some((family) => !pools.some((pool) => pool.family === family))) return undefined;
    return { suite: 'answerable', counts: {}, methods: [], comparisons: [], tables: [tableOf(pools)] };
  },
};

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { evaluateParaphrase } from '../paraphrase.js';
import type { Suite } from './suite.js';

/** The precision of semantic de-duplication. It has no baseline to fall behind. */
export const paraphrase: Suite = {
  name: 'paraphrase',
  async run({ dataDir, embedder }) {
    if (!existsSync(join(dataDir, 'paraphrase'))) return undefined;
    const { tables } = await evaluateParaphrase(dataDir, embedder);
    return { suite: 'paraphrase', counts: {}, methods: [], comparisons: [], tables };
  },
};

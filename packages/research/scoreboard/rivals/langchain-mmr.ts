import { maximalMarginalRelevance } from '@langchain/core/utils/math';
import type { Chunk } from 'context-shaping';
import { versionOf } from '../installed.js';
import type { Rival } from '../rival.js';
import { vectorsOf } from '../vectors.js';

/** More would take minutes for a log. */
const FETCHED = 200;

/** As its vector stores do it. */
export default {
  name: 'LC MMR',
  package: '@langchain/core',
  version: versionOf('@langchain/core'),
  needsVectors: true,
  settings: { 'lambda .5': 0.5, 'lambda .7': 0.7, 'lambda .9': 0.9 },
  ignoresBudget: true,
  async select(given, _, lambda: number) {
    const fetched = given.chunks.slice(0, FETCHED);
    const [question = [], ...vectors] = await vectorsOf(given, [
      given.question,
      ...fetched.map(({ text }) => text),
    ]);
    return maximalMarginalRelevance(question, vectors, lambda, fetched.length).map(
      (place) => fetched[place] as Chunk,
    );
  },
} satisfies Rival<number>;

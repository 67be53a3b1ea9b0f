import { naive } from '../../eval/methods/naive.js';
import type { Rival } from '../rival.js';

/** Twenty lines: BM25 of sentences with a prior of the place. */
export default {
  name: 'sentences',
  async select({ question, chunks, seed, countTokens }, maxTokens) {
    const pool = { question, chunks, seed, ranked: 'auto' } as const;
    // Sentences that are counted one by one can take a token or two more when they are joined.
    for (let most = maxTokens; most > 0; most--) {
      const kept = await naive.fit(pool, most, countTokens);
      if (kept.reduce((sum, { text }) => sum + countTokens(text), 0) <= maxTokens) return kept;
    }
    return [];
  },
} satisfies Rival;

/** The reason of an eviction as a sentence, with whole ids. */
import { expect, test } from 'vitest';
import { why } from '../../../adapters/report/why.js';
import type { Eviction } from '../../../src/types.js';

const keptId = `docs/${'a-long-name/'.repeat(5)}page.md#12`;
const last = { id: keptId, relevance: 0.5 };
const room = { reason: 'over-budget', limit: 'maxTokens' } as const;

test.each<[string, object]>([
  ['flag.evict names role-tag, instruction', { reason: 'flagged', kinds: ['role-tag', 'instruction'] }],
  ['entropy 0.31, below the minimum of 0.4', { reason: 'low-entropy', entropy: 0.312, minEntropy: 0.4 }],
  [`same text as ${keptId}`, { reason: 'exact-duplicate', keptId }],
  [
    `near-copy of ${keptId}, 0.031 away by vectors (at most 0.06)`,
    { reason: 'semantic-duplicate', keptId, distance: 0.0312, maxDistance: 0.06, measure: 'cosine' },
  ],
  [
    `near-copy of ${keptId}, 0.031 away by words (at most 0.06)`,
    { reason: 'semantic-duplicate', keptId, distance: 0.0312, maxDistance: 0.06, measure: 'lexical' },
  ],
  [
    `another side of a conflict is preferred: ${keptId}, newest by metadata.date`,
    { reason: 'superseded', by: keptId, because: 'newest by metadata.date' },
  ],
  [
    `in a cluster with ${keptId}, 0.064 away`,
    { reason: 'cluster-member', keptId, distance: 0.064, cluster: 1, maxDistance: 0.1 },
  ],
  ['utility -0.10 nats, below the minimum of 0.2', { reason: 'low-utility', utility: -0.1, minUtility: 0.2 }],
  ['below relevance.floor, 0.3', { reason: 'below-floor', stage: 'relevance', floor: 0.3, margin: 0.05 }],
  ['others took the 3 places of k', { reason: 'outranked', k: 3, margin: 0.18 }],
  ['another took the one place of k', { reason: 'outranked', k: 1, margin: 0 }],
  [`less relevant than the last kept, ${keptId}`, { ...room, lastKept: last, margin: 0.12 }],
  [
    `best sentence less relevant than the last kept, ${keptId}`,
    { ...room, stage: 'extract', lastKept: last, margin: 0.12 },
  ],
  [
    `more relevant than the last kept, ${keptId}, but it did not fit`,
    { ...room, lastKept: last, margin: -0.12 },
  ],
  [`as relevant as the last kept, ${keptId}, but it did not fit`, { ...room, lastKept: last, margin: 0 }],
  [
    `less relevant than the last kept of its source, ${keptId}`,
    { ...room, limit: 'perSource', lastKept: last, margin: 0.12 },
  ],
  [
    `less relevant than the last kept of its tier, ${keptId}`,
    { ...room, limit: 'trust', lastKept: last, margin: 0.12 },
  ],
  [
    `ranked so low that its sentences were not compared; the last kept, ${keptId}`,
    { ...room, stage: 'extract', lastKept: last },
  ],
  ['no room left in the budget', room],
  ['no place left for its source', { ...room, limit: 'chunksPerSource' }],
  ['no room left for its tier', { ...room, limit: 'trust' }],
  ['author Ann, most 2, short by 1', { reason: 'custom', evidence: { author: 'Ann', most: 2 }, margin: 1 }],
  [
    'low-grade: grade 0.1, minGrade 0.3',
    { reason: 'low-grade', grade: 0.1, minGrade: 0.3, preview: 'A text.' },
  ],
])('%s', (sentence, eviction) => {
  expect(why({ id: 'b', index: 1, stage: 'budget', tokens: 12, ...eviction } as Eviction)).toBe(sentence);
});

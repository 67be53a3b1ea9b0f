/** The reasons of evictions and flags as sentences. */

import type { Eviction, EvictionExtensions, Flag } from '../../src/index.js';
import type { EvictionReason } from '../../src/internal.js';
import { count, inWords } from './words.js';

const NO_ROOM = {
  maxTokens: 'no room left in the budget',
  perSource: 'no room left for its source',
  chunksPerSource: 'no place left for its source',
  trust: 'no room left for its tier',
} as const;

type OverBudget = Extract<Eviction, { reason: 'over-budget' }>;

/** The reasons of the default stages and of users' stages. Adapters add others, which this module does not know. */
type OwnReason = Exclude<EvictionReason['reason'], keyof EvictionExtensions>;
type Evicted<R extends OwnReason> = Extract<Eviction, { reason: R }>;

const SENTENCES: { readonly [R in OwnReason]: (eviction: Evicted<R>) => string } = {
  flagged: ({ kinds }) => `flag.evict names ${kinds.join(', ')}`,
  'low-entropy': ({ entropy, minEntropy }) =>
    `entropy ${entropy.toFixed(2)}, below the minimum of ${minEntropy}`,
  'exact-duplicate': ({ keptId }) => `same text as ${keptId}`,
  'semantic-duplicate': ({ keptId, distance, measure, maxDistance }) =>
    `near-copy of ${keptId}, ${distance.toFixed(3)} away by ${measure === 'cosine' ? 'vectors' : 'words'} (at most ${maxDistance})`,
  superseded: ({ by, because }) => `another side of a conflict is preferred: ${by}, ${because}`,
  'cluster-member': ({ keptId, distance }) => `in a cluster with ${keptId}, ${distance.toFixed(3)} away`,
  'low-utility': ({ utility = 0, minUtility }) =>
    `utility ${utility.toFixed(2)} nats, below the minimum of ${minUtility}`,
  'below-floor': ({ floor }) => `below relevance.floor, ${floor}`,
  outranked: ({ k }) => (k === 1 ? 'another took the one place of k' : `others took the ${k} places of k`),
  'over-budget': overBudget,
  custom({ evidence, margin }) {
    const short = margin === undefined ? '' : `short by ${margin}`;
    return [inWords(evidence), short].filter((part) => part !== '').join(', ') || '–';
  },
};

/** The evidence of an eviction in a few words, with whole ids. */
export function why(eviction: Eviction): string {
  const { reason } = eviction;
  if (Object.hasOwn(SENTENCES, reason)) {
    return (SENTENCES[reason as OwnReason] as (eviction: Eviction) => string)(eviction);
  }
  const { id, index, stage, tokens, source, position, relevance, features, utility, preview, ...rest } =
    eviction;
  const { reason: _, ...evidence } = rest;
  return [reason, inWords(evidence)].filter((part) => part !== '').join(': ');
}

/** Without its numbers: the relevance of a sentence and that of a chunk in one table would not add up. */
function overBudget({ stage, limit, lastKept, margin }: OverBudget): string {
  if (lastKept === undefined) return NO_ROOM[limit];
  const group = limit === 'maxTokens' ? '' : limit === 'trust' ? ' of its tier' : ' of its source';
  const last = `the last kept${group}, ${lastKept.id}`;
  if (margin === undefined) return `ranked so low that its sentences were not compared; ${last}`;
  // In the stage `extract`, the best unit of a chunk counts.
  const best = stage === 'extract' ? 'best sentence ' : '';
  if (margin > 0) return `${best}less relevant than ${last}`;
  return `${best}${margin === 0 ? 'as' : 'more'} relevant ${margin === 0 ? 'as' : 'than'} ${last}, but it did not fit`;
}

/** The evidence of a flag in a few words. */
export function said(flag: Flag): string {
  switch (flag.kind) {
    case 'query-echo':
      return `repeats ${Math.round(100 * flag.share)} % of the question`;
    case 'keyword-stuffing':
      return `${Math.round(100 * flag.density)} % of its words are the question’s`;
    case 'dependent-group':
      return `says the same as ${flag.members - 1} others`;
    case 'hidden-characters': {
      const { count: times, classes } = flag;
      return `${count(times)} hidden character${times === 1 ? '' : 's'} (${classes.join(', ')})`;
    }
    case 'mixed-script':
      return `letters of two scripts in ${flag.words.join(', ')}`;
    case 'role-tag':
      return `role tags ${flag.tags.join(' ')}`;
    case 'instruction':
      return `tells a model: “${flag.text}”`;
  }
}

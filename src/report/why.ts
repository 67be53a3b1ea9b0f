/** The reasons of evictions and flags as sentences. */

import type { Eviction, Flag } from '../types.js';
import { count, inWords } from './words.js';

const NO_ROOM = {
  maxTokens: 'no room left in the budget',
  perSource: 'no room left for its source',
  chunksPerSource: 'no place left for its source',
  trust: 'no room left for its tier',
} as const;

type OverBudget = Extract<Eviction, { reason: 'over-budget' }>;

/** The evidence of an eviction in a few words, with whole ids. */
export function why(eviction: Eviction): string {
  switch (eviction.reason) {
    case 'low-entropy':
      return `entropy ${eviction.entropy.toFixed(2)}, below the minimum of ${eviction.minEntropy}`;
    case 'exact-duplicate':
      return `same text as ${eviction.keptId}`;
    case 'semantic-duplicate':
      return `near-copy of ${eviction.keptId}, ${eviction.distance.toFixed(3)} away by ${eviction.measure === 'cosine' ? 'vectors' : 'words'} (at most ${eviction.maxDistance})`;
    case 'cluster-member':
      return `in a cluster with ${eviction.keptId}, ${eviction.distance.toFixed(3)} away`;
    case 'low-utility':
      return `utility ${(eviction.utility ?? 0).toFixed(2)} nats, below the minimum of ${eviction.minUtility}`;
    case 'below-floor':
      return `${apart(eviction.margin)} below relevance.floor, ${eviction.floor.toFixed(2)}`;
    case 'outranked':
      return `${apart(eviction.margin)} short of the best ${eviction.k}`;
    case 'over-budget':
      return overBudget(eviction);
    case 'custom': {
      const short = eviction.margin === undefined ? '' : `short by ${eviction.margin}`;
      return [inWords(eviction.evidence), short].filter((part) => part !== '').join(', ') || '–';
    }
    default: {
      const {
        id,
        index,
        stage,
        tokens,
        source,
        position,
        relevance,
        features,
        utility,
        preview,
        reason,
        ...evidence
      } = eviction as Eviction;
      return [reason, inWords(evidence)].filter((part) => part !== '').join(': ');
    }
  }
}

function overBudget({ stage, limit, budgetToKeep, lastKept, margin }: OverBudget): string {
  if (lastKept === undefined) {
    const certain = budgetToKeep === null ? '' : `; ${limit} ${count(budgetToKeep)} would certainly keep it`;
    return `${NO_ROOM[limit]}${certain}`;
  }
  const group = limit === 'maxTokens' ? '' : limit === 'trust' ? ' of its tier' : ' of its source';
  const last = `the last kept${group}, ${lastKept.id}`;
  if (margin === undefined) return `ranked too low to be read; ${last}`;
  if (margin > 0) return `${unit(stage)}${apart(margin)} below ${last}`;
  return `${unit(stage)}${margin === 0 ? 'as relevant as' : `${apart(-margin)} above`} ${last}, but it did not fit`;
}

/** In the stage `extract`, the best unit of a chunk counts. */
const unit = (stage: string) => (stage === 'extract' ? 'best sentence ' : '');

const apart = (margin: number) => (margin > 0 && margin < 0.005 ? 'under 0.01' : margin.toFixed(2));

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
      const { count: times, classes, decoded } = flag;
      return `${count(times)} hidden characters (${classes.join(', ')})${decoded === undefined ? '' : `: “${decoded}”`}`;
    }
    case 'mixed-script':
      return `letters of two scripts in ${flag.words.join(', ')}`;
    case 'role-tag':
      return `role tags ${flag.tags.join(' ')}`;
    case 'instruction':
      return `tells a model: “${flag.text}”`;
  }
}

/** An explanation of the outcome of one chunk, as data. */
import type { Eviction, KeptEntry } from '../../src/index.js';

/** The values of one option at which a chunk is kept, all else unchanged. Every value of `tried` was run. */
export interface KeptRanges {
  option: 'budget.maxTokens' | 'k' | 'select.lambda' | 'cluster.maxPerCluster';
  /** The value of the run; null: no limit. */
  current: number | null;
  /** The values that were run. */
  tried: { from: number; to: number; step: number };
  /**
   * The ranges of values at which the chunk is kept, whole or cut, both ends inclusive, ascending. `null` as the end: with
   * every greater value too, because nothing changes beyond `tried.to`.
   */
  kept: [from: number, to: number | null][];
  /** The least value at which it is kept; null if there is none. */
  least: number | null;
  /** The least value from which on it is always kept; null if there is none. */
  always: number | null;
  /** The same two values for the whole chunk, uncut. */
  whole: { least: number | null; always: number | null };
  /** Number of tried values at which a service would have to be asked. They are in no range. */
  unknown: number;
}

/** A kept chunk that had an advantage over the explained one. */
export interface Rival {
  id: string;
  /** Index in the input, from 0. */
  index: number;
  relevance?: number;
  /** Its relevance less that of the explained chunk; below 0 if it is less relevant. Absent unless both were measured. */
  by?: number;
  /** The features that made most of the difference, the greatest difference first; at most three. */
  features: { name: string; own: number; theirs: number }[];
}

/** What would change the outcome of a chunk. Every entry is a run that was made. */
export interface Counterfactuals {
  /** Absent if the stage is off that reads the option. */
  maxTokens?: KeptRanges;
  k?: KeptRanges;
  lambda?: KeptRanges;
  maxPerCluster?: KeptRanges;
  /** Whether the option `pin` with the id of the chunk keeps it. Absent for kept chunks, and if it is unknown. */
  pin?: boolean;
  /**
   * Chunks whose absence from the input, one at a time, changes the outcome: without one of them an evicted chunk is kept,
   * and a kept chunk is evicted. All kept chunks, and all chunks that stood in for a copy, were tried.
   */
  absence: { id: string; index: number }[];
  /** Number of absences at which a service would have to be asked. */
  absenceUnknown: number;
}

/** A change of options that brings an evicted chunk back. */
export interface Remedy {
  /** For `shaper.with`, as plain JSON. */
  options: Record<string, unknown>;
  /** Whether a run with these options kept the chunk. `false`: no run was possible. */
  isVerified: boolean;
}

/** The outcome of one chunk, its cause, and what would change it. Plain JSON. */
export interface Explanation {
  id: string;
  /** Index in the input, from 0. */
  index: number;
  outcome: 'kept' | 'cut' | 'evicted';
  /** The stage that evicted it. */
  stage?: string;
  /** The reason of its eviction. */
  reason?: string;
  /** Its entry of the ledger, if it was evicted. */
  eviction?: Eviction;
  /** Its entry of the ledger, if it was kept. */
  entry?: KeptEntry;
  relevance?: number;
  /** Its place among all chunks with a measured relevance, from 1. Ties go to the earlier chunk of the input. */
  rank?: { place: number; of: number };
  /** A stable code to switch on. The page on explanations lists all codes. */
  cause: Cause;
  /** Absent if no change of options is known to help. */
  remedy?: Remedy;
  /** The kept chunks that had an advantage over it; at most three. Empty for kept chunks. */
  rivals: Rival[];
  /** Absent if only a report was given. */
  counterfactuals?: Counterfactuals;
  /** The explanation in plain English. */
  sentences: string[];
}

export const CAUSES = {
  fits: 'All chunks left after de-duplication fit, so nothing had to go.',
  pinned: 'The option `pin` names it.',
  ranked: 'It is among the best chunks that fit.',
  cut: 'Only a part of it fits, or is worth its room.',
  'pin-not-found': '`pin` names an id that no chunk has, and that is like this one.',
  'namespace-not-found': 'No chunk has a value at `namespace`, so chunks were compared that should not be.',
  'namespace-missing': 'It went for a copy of another tenant, and `namespace` is not set.',
  'namespace-separates-copies': 'Copies in other namespaces are not compared, and take room.',
  'field-not-found': 'No chunk has a value at a path of `fields`.',
  'query-empty': 'The question has no text.',
  'query-echo': 'It repeats the question, and a repetition adds nothing to relevance.',
  'weight-zero': 'The weight of a decisive feature is 0.',
  'preset-entropy': 'The preset `entropy` does not rank by relevance.',
  'scores-contradict-order': 'The scores rise along a list that is ranked, so they did not count.',
  'list-is-no-ranking': 'The list is in another order than the best first, but its order counted.',
  'embedder-failed': 'The embedder failed, so chunks were compared by words.',
  'embeddings-incomplete': 'Some vectors are missing, so chunks were compared by words.',
  'query-not-embedded': 'The query has no vector, so chunks were compared with it by words.',
  'scores-outlying': 'Scores out of all proportion did not count.',
  'stage-off': 'A default stage is off.',
  'tokenizer-overcounts': 'The token counter counts too many tokens.',
  'frame-takes-room': 'The headers and marks of `frame` take the room.',
  'reserve-too-large': '`budget.reserve` takes at least half of `budget.maxTokens`.',
  'pins-took-room': 'Pinned chunks took its room.',
  'pinned-over-budget': 'It is pinned, but does not fit the budget.',
  diversity: '`select.lambda` prefers less relevant chunks that repeat less.',
  'conflict-kept-both-sides': 'Two chunks contradict each other, both stay, and one took its place.',
  'blank-text': 'It has no text.',
  'exact-copy': 'It is a copy of a chunk that stands in for it.',
  'near-copy': 'It is a near-copy of a chunk that stands in for it.',
  'cluster-member': 'It is redundant in its group, and not all chunks fit.',
  'entropy-gate': '`annotate.minEntropy` is too high for it.',
  'utility-gate': '`ecs.minUtility` is too high for it.',
  'relevance-floor': '`relevance.floor` is too high for it.',
  'not-worth-its-room': 'It is far less relevant than what fills the budget.',
  'k-too-small': 'Better chunks took the places of `k`.',
  'larger-than-budget': 'It alone is larger than the budget.',
  'budget-too-small': 'Better chunks took the tokens of `budget.maxTokens`.',
  'source-cap': 'A limit for each source was reached.',
  'trust-cap': 'A limit for its tier of trust was reached.',
  'custom-stage': 'A stage of the option `stages` evicted it.',
  'low-grade': 'The grader of corrective retrieval graded it too low.',
  vetoed: 'A reviewer excluded it.',
  other: 'An adapter evicted it.',
} as const satisfies Record<string, string>;

/** The codes of causes. */
export type Cause = keyof typeof CAUSES;

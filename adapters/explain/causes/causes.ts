/** All causes of outcomes. The documentation has this table. */
import { type AboutCause, REASONS, type Reason, withoutRemedy } from './reasons.js';

/** The causes that are no reason of an eviction: faults, observations, and why a chunk stays. */
const OBSERVED = {
  fits: { meaning: 'No chunk went for lack of room.', remedy: withoutRemedy },
  ranked: { meaning: 'It is among the best chunks that fit.', remedy: withoutRemedy },
  pinned: { meaning: 'It is pinned, and goes ahead of all others.', remedy: withoutRemedy },
  cut: { meaning: 'A part of it stays.', remedy: 'raise `budget.maxTokens`' },
  'namespace-missing': {
    meaning: 'A copy of another tenant stands in for it, and `namespace` is not set.',
    remedy: 'set `namespace` to the key of the tenant',
  },
  'namespace-separates-copies': {
    meaning: 'Copies in several namespaces are not compared, and take the room of others.',
    remedy: 'leave out `namespace`, or retrieve from one namespace',
  },
  'scores-contradict-order': {
    meaning: '`ranked` vouches for the order of the list, so scores that contradict it were ignored.',
    remedy: 'set `ranked: false`, or leave it out',
  },
  'list-is-no-ranking': {
    meaning: 'The order of the list counts, but it puts worse matches first, or is that of a document.',
    remedy: 'set `ranked: false`',
  },
  'reserve-too-large': {
    meaning: '`budget.reserve` takes at least half of `budget.maxTokens`.',
    remedy: 'lower `budget.reserve`, or raise `budget.maxTokens`',
  },
  'pins-took-room': { meaning: 'Pinned chunks took its room.', remedy: 'pin less' },
  'stage-off': {
    meaning: 'A default stage is off, such as de-duplication.',
    remedy: 'leave out `exactDedup: false` and the like',
  },
  diversity: {
    meaning: 'Less relevant chunks stay, because they repeat less of the others.',
    remedy: 'raise `select.lambda`',
  },
  'conflict-kept-both-sides': {
    meaning:
      'Two or more chunks say different things about one subject, so all of them stay, and there is no room for it.',
    remedy: 'raise `k` or `budget.maxTokens`, or remove the outdated chunk',
  },
  'blank-text': { meaning: 'It has no text.', remedy: 'correct the loader' },
  'query-empty': { meaning: 'The question has no text.', remedy: 'give the question' },
  'embedder-failed': {
    meaning: 'The embedder failed, so chunks were compared by words.',
    remedy: 'correct the embedder',
  },
  'embeddings-incomplete': {
    meaning: 'Some vectors are missing, so chunks were compared by words.',
    remedy: 'give all vectors, or an `embedder`',
  },
  'query-not-embedded': {
    meaning: 'The query has no vector, so chunks were compared with it by words.',
    remedy: 'give `{ text, embedding }` as the query, or an `embedder`',
  },
  'scores-rise': {
    meaning: 'The scores rise along the list, so they were taken for distances.',
    remedy: 'reverse the list if the greatest score is the best',
  },
  'pinned-over-budget': { meaning: 'It is pinned, but does not fit.', remedy: 'raise `budget.maxTokens`' },
  'query-echo': {
    meaning: 'It repeats the question, and a repetition adds nothing to relevance.',
    remedy: withoutRemedy,
  },
} as const satisfies Readonly<Record<string, AboutCause>>;

/** For the reasons of adapters that this package does not have. */
const OTHER = { meaning: 'An adapter evicted it, for a reason of its own.', remedy: withoutRemedy };

/** The codes of causes: those of faults and observations, and the reasons of evictions. */
export type Cause = keyof typeof OBSERVED | Reason | 'other';

/** The causes by their stable codes: the meaning of each, and the remedy. */
export const CAUSES: Readonly<Record<Cause, AboutCause>> = {
  ...OBSERVED,
  ...(Object.fromEntries(
    Object.entries(REASONS).map(([reason, { meaning, remedy }]) => [reason, { meaning, remedy }]),
  ) as Record<Reason, AboutCause>),
  other: OTHER,
};

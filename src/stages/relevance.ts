import { isBlank, withSignals } from '../candidate.js';
import { cosine } from '../math/vectors.js';
import type { ResolvedOptions } from '../options.js';
import type { Stage, StageInput } from '../pipeline.js';
import { contentWords } from '../text/function-words.js';
import { stem } from '../text/stem.js';
import { TermIndex } from '../text/term-index.js';
import type { Candidate } from '../types.js';

type Weights = Exclude<ResolvedOptions['relevance'], false>['weights'];

/**
 * One view of how well candidates answer the query: a value per candidate on any scale, absent where there
 * is nothing to go by. What all candidates share tells nothing and is dropped.
 */
type Feature = (input: StageInput) => readonly (number | undefined)[];

/**
 * The features, by name; each has its weight in the options under the same name. `floor` is the value that
 * stands for "no relevance at all"; without one it is the least value of the pool.
 */
const FEATURES: Readonly<Record<keyof Weights, { values: Feature; floor?: number }>> = {
  bm25: { values: bm25, floor: 0 },
  cosine: {
    values: ({ candidates, query }) =>
      candidates.map(({ vector }) => (vector && query.vector ? cosine(vector, query.vector) : undefined)),
  },
  score: { values: ({ candidates }) => candidates.map(({ score }) => score) },
  rank: {
    values: ({ candidates }) =>
      candidates.map(({ index }) =>
        candidates.every(({ score }) => score === undefined) ? -index : undefined,
      ),
  },
  entropy: { values: ({ candidates }) => candidates.map(({ signals }) => signals.entropy?.blend) },
};

/**
 * Relevance to the query, 0..1 within this pool: the weighted mean of the features that a candidate has,
 * each scaled from its least (or its floor) to its greatest value in the pool. A feature that is missing,
 * or the same for all, costs nothing; with none at all relevance stays absent and scores decide. A blank text
 * answers nothing: its relevance is 0, whatever its score.
 */
export function relevance({ weights }: { weights: Weights }): Stage {
  return {
    name: 'relevance',
    run(input) {
      const names = (Object.keys(FEATURES) as (keyof Weights)[]).filter((name) => weights[name] > 0);
      const scaled = names.map((name) => scale(FEATURES[name].values(input), FEATURES[name].floor));
      const kept = input.candidates.map((candidate, place): Candidate => {
        if (isBlank(candidate)) return withSignals(candidate, { relevance: 0 });
        const features: Record<string, number> = {};
        let sum = 0;
        let total = 0;
        for (const [at, name] of names.entries()) {
          const value = scaled[at]?.[place];
          if (value === undefined) continue;
          features[name] = value;
          sum += weights[name] * value;
          total += weights[name];
        }
        return total === 0
          ? candidate
          : withSignals(candidate, { relevance: sum / total, features: Object.freeze(features) });
      });
      return { kept, evicted: [] };
    },
  };
}

function bm25({ candidates, query, lexicon }: StageInput): readonly number[] {
  const index = new TermIndex(candidates.map((candidate) => lexicon.terms(candidate.text)));
  return Array.from(index.bm25(contentWords(lexicon.words(query.text)).map(stem)));
}

/** To 0..1 over the pool. `undefined` altogether if all values that are there are the same. */
function scale(
  values: readonly (number | undefined)[],
  floor?: number,
): readonly (number | undefined)[] | undefined {
  let least = floor ?? Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value === undefined) continue;
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
  }
  // Halved first: the difference of two finite numbers can overflow.
  const range = greatest / 2 - least / 2;
  if (!(range > 0)) return undefined;
  return values.map((value) => (value === undefined ? undefined : (value / 2 - least / 2) / range));
}

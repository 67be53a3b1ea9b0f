import { isBlank, withSignals } from '../candidate.js';
import { cosine } from '../math/vectors.js';
import type { ShapingQuery, Stage } from '../pipeline.js';
import { byScore } from '../ranking.js';
import { chunkPassage, isTalk } from '../relevance/chunks.js';
import { COEFFICIENTS } from '../relevance/coefficients.js';
import { LEXICAL, lexicalFeatures } from '../relevance/features.js';
import { questionOf } from '../relevance/passage.js';
import { type Values, weightedMean } from '../relevance/weighted-mean.js';
import type { Candidate } from '../types.js';

type Weights = Readonly<Record<string, number | undefined>>;

/**
 * Relevance to the query, 0..1 within this pool: the weighted mean of the features that a candidate has. The
 * lexical ones are shares of the pool's best; the others are scaled from the least to the greatest of the
 * pool. A feature that is missing, or the same for all, costs nothing; with none at all relevance stays
 * absent and scores decide. A blank text answers nothing: its relevance is 0, whatever its score.
 *
 * Weights are learned, one set for passages of documents and one for turns of a talk; `weights` go over them.
 */
export function relevance({ weights: given }: { weights: Weights }): Stage {
  return {
    name: 'relevance',
    async run(input) {
      const { query, lexicon, pacer } = input;
      // Ties within features fall to the first: not to the first that arrived.
      const candidates = input.candidates.toSorted(byScore);
      const talk = isTalk(candidates);
      const learned = COEFFICIENTS[talk ? 'turns' : 'passages'];
      const weights: Weights = { ...learned, ...given };
      for (const { text } of candidates) {
        lexicon.read(text);
        if (pacer.due()) await pacer.pause();
      }
      const features: Record<string, Values | undefined> = {
        ...lexicalFeatures(
          questionOf(query.text, lexicon),
          candidates.map((candidate) => chunkPassage(candidate, lexicon, talk)),
          lexicon,
          LEXICAL.filter((name) => (weights[name] ?? 0) > 0),
        ),
        ...otherFeatures(candidates, query),
      };
      const relevances = weightedMean(candidates.length, features, weights);
      const found = new Map(candidates.map(({ index }, place) => [index, relevances[place]]));
      const kept = input.candidates.map((candidate): Candidate => {
        if (isBlank(candidate)) return withSignals(candidate, { relevance: 0 });
        const own = found.get(candidate.index);
        return own === undefined
          ? candidate
          : withSignals(candidate, { relevance: own.value, features: Object.freeze(own.parts) });
      });
      return { kept, evicted: [] };
    },
  };
}

/** What comes with the chunks. The place in the input counts only where no chunk has a score. */
function otherFeatures(
  candidates: readonly Candidate[],
  query: ShapingQuery,
): Record<string, Values | undefined> {
  const isScored = candidates.some(({ score }) => score !== undefined);
  return {
    cosine: scale(
      candidates.map(({ vector }) => (vector && query.vector ? cosine(vector, query.vector) : undefined)),
    ),
    score: scale(candidates.map(({ score }) => score)),
    rank: scale(candidates.map(({ index }) => (isScored ? undefined : -index))),
    entropy: scale(candidates.map(({ signals }) => signals.entropy?.blend)),
  };
}

/** To 0..1 over the pool. `undefined` altogether if all values that are there are the same. */
function scale(values: readonly (number | undefined)[]): Values | undefined {
  let least = Number.POSITIVE_INFINITY;
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

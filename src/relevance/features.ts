/**
 * The table of lexical features. Each feature is a simple measure of how well a passage answers a question, 0..1: a share
 * of the greatest value in the pool, except for `coverage`, which is a share of the question.
 */
import type { Background } from '../text/background.js';
import type { Lexicon } from '../text/lexicon.js';
import type { Candidate } from '../types.js';
import { titleBridge } from './bridges.js';
import { dateMatch } from './date-match.js';
import { date } from './expectations.js';
import { grams } from './grams.js';
import { coverage, phrase, proximity, title } from './matches.js';
import type { Passage, Question } from './passage.js';
import { Pool } from './pool.js';
import { neighbours, source } from './surroundings.js';

/** The values that features share. Each is computed once. */
class View {
  readonly #found = new Map<LexicalFeature, Float64Array>();
  #atFirstSight?: Float64Array;

  constructor(
    readonly pool: Pool,
    readonly lexicon: Lexicon,
  ) {}

  /** Returns the values of a feature. They are 0 if the feature does not apply to the pool. */
  of(name: LexicalFeature): Float64Array {
    let values = this.#found.get(name);
    if (values === undefined) {
      const found = FEATURES[name](this);
      const measured = found ?? new Float64Array(this.pool.size);
      values = ABSOLUTE.has(name) ? measured : shareOfBest(measured);
      this.#found.set(name, values);
    }
    return values;
  }

  /** Preliminary relevance, 0..1. Neighbours and bridges start from it. */
  atFirstSight(): Float64Array {
    this.#atFirstSight ??= this.#sumAtFirstSight();
    return this.#atFirstSight;
  }

  #sumAtFirstSight(): Float64Array {
    const sum = new Float64Array(this.pool.size);
    for (const [name, weight] of AT_FIRST_SIGHT) {
      const values = this.of(name);
      for (let place = 0; place < sum.length; place++) {
        sum[place] = (sum[place] as number) + weight * (values[place] as number);
      }
    }
    return shareOfBest(sum);
  }
}

type Feature = (view: View) => Float64Array | undefined;

export const LEXICAL = [
  'bm25',
  'grams',
  'coverage',
  'phrase',
  'proximity',
  'title',
  'speaker',
  'neighbours',
  'source',
  'date',
  'dateMatch',
  'titleBridge',
] as const;
export type LexicalFeature = (typeof LEXICAL)[number];

/** Measures of the text of the passage itself. */
const OF_TEXT = {
  bm25: ({ pool }) => pool.bm25(),
  grams: ({ pool, lexicon }) => grams(pool, lexicon),
  coverage: ({ pool }) => coverageShare(pool),
  phrase: ({ pool }) => phrase(pool),
  proximity: ({ pool }) => proximity(pool),
  date: ({ pool }) => date(pool),
  dateMatch: ({ pool }) => dateMatch(pool),
} satisfies Partial<Record<LexicalFeature, Feature>>;

/** The others: measures of its title, its speaker and other passages. */
const OF_SURROUNDINGS: Readonly<Record<Exclude<LexicalFeature, keyof typeof OF_TEXT>, Feature>> = {
  title: ({ pool }) => title(pool),
  speaker: ({ pool }) =>
    Float64Array.from(pool.passages, (passage) => Number(pool.speakers.haveSaid(passage))),
  neighbours: fromFirstSight((pool, relevance) => neighbours(pool.passages, relevance)),
  source: ({ pool }) => source(pool),
  titleBridge: fromFirstSight(titleBridge),
};

const FEATURES: Readonly<Record<LexicalFeature, Feature>> = { ...OF_TEXT, ...OF_SURROUNDINGS };

/** Features whose values mean the same in every pool. The values of others are divided by the greatest of the pool. */
const ABSOLUTE: ReadonlySet<LexicalFeature> = new Set(['coverage']);

/** Whether a share of relevance is that of a feature which measures the text of the passage itself. */
export const isOfText = (name: string): boolean => Object.hasOwn(OF_TEXT, name);

/** A feature that is computed from the preliminary relevance. */
function fromFirstSight(feature: (pool: Pool, relevance: Float64Array) => Float64Array | undefined): Feature {
  return (view) => feature(view.pool, view.atFirstSight());
}

const AT_FIRST_SIGHT: readonly (readonly [LexicalFeature, number])[] = [
  ['bm25', 1],
  ['coverage', 1],
  ['proximity', 0.7],
  ['phrase', 0.7],
  ['title', 0.5],
];

/**
 * Computes features, one value per passage, 0..1. A feature is left out if its value is 0 for all passages.
 *
 * @param options `names`: the features to compute. `language`: word frequencies of the language, for passages that were
 *   retrieved for the question. They then decide how rare the question's words are, in place of the passages.
 */
export function lexicalFeatures(
  question: Question,
  passages: readonly Passage[],
  lexicon: Lexicon,
  {
    names = LEXICAL,
    language,
  }: { names?: readonly LexicalFeature[]; language?: Background | undefined } = {},
): Partial<Record<LexicalFeature, Float64Array>> {
  const view = new View(Pool.of(question, passages, lexicon.vocabulary, language), lexicon);
  const features: Partial<Record<LexicalFeature, Float64Array>> = {};
  for (const name of names) {
    const values = view.of(name);
    if (values.some((value) => value > 0)) features[name] = values;
  }
  return features;
}

/** Returns the share of the question's words that each passage contains, by weight. Words that no passage has count too. */
function coverageShare(pool: Pool): Float64Array {
  let all = 0;
  for (const weight of pool.importance) all += weight;
  return all === 0 ? new Float64Array(pool.size) : coverage(pool).map((sum) => Math.min(1, sum / all));
}

/** Returns whether any lexical feature contributes to the relevance of these candidates. */
export function isByWords(candidates: readonly Candidate[]): boolean {
  return candidates.some(({ signals }) => LEXICAL.some((name) => name in (signals.features ?? {})));
}

/** Divides the values by the greatest. If all are 0, they stay 0. */
export function shareOfBest(values: Float64Array): Float64Array {
  let best = 0;
  for (const value of values) best = Math.max(best, value);
  return best > 0 ? values.map((value) => value / best) : values;
}

/**
 * How probably a text answers a question, by its words alone: absolute, where relevance is a share of the pool's
 * best, which cannot say that nothing answers.
 *
 *   p = logistic(bias + Σ w·v),    v = what the text has of what the question itself would get, 0..1
 *
 * The weights are learned as D. Cox, "The regression analysis of binary sequences", 1958, none below 0. The
 * bounds are those of S. Yan et al., "Corrective Retrieval Augmented Generation", 2024: retrieval is correct if
 * one text reaches the upper, incorrect if all are below the lower, else ambiguous.
 */
import { logistic } from '../math/logprobs.js';
import { Lexicon } from '../text/lexicon.js';
import { withoutEchoes } from './echo.js';
import { date, number } from './expectations.js';
import { grams } from './grams.js';
import { coverage, phrase, rarest } from './matches.js';
import { questionOf } from './passage.js';
import { Pool } from './pool.js';
import { SUPPORT } from './support-coefficients.js';

/** Bounds of the three actions of corrective retrieval that suit these probabilities. */
export const SUPPORT_THRESHOLDS = Object.freeze({ lower: SUPPORT.lower, upper: SUPPORT.upper });

/** Texts that say nothing stand for all that was not found: next to one text alone, no word would be rare. */
const UNFOUND = 10;
/** Terms at the beginning of a text, where it says what it is about. */
const LEAD = 12;
/** Rare terms that are half of as much as a text can have: two shared words are less to go by than six. */
const HALF = 1.3;
const NONE = new Int32Array(0);

/** By name, one value per text, each 0..1. */
export type SupportFeatures = Record<keyof typeof SUPPORT.weights, Float64Array>;

/** @returns nothing if the question has no words. */
export function supportFeatures(
  query: string,
  texts: readonly string[],
  lexicon: Lexicon,
): SupportFeatures | undefined {
  const question = questionOf(query, lexicon);
  if (question.terms.length === 0) return undefined;
  const passageOf = (text: string) => ({
    text,
    title: NONE,
    terms: lexicon.searchTerms(text),
    runs: lexicon.runs(text),
  });
  const passages = [
    ...withoutEchoes(texts.map(passageOf), question, lexicon.vocabulary),
    ...[query, ...Array<string>(UNFOUND).fill('')].map(passageOf),
  ];
  const pool = new Pool(question, passages, lexicon.vocabulary);
  const itself = texts.length;
  const ofAll = coverage(pool);
  const all = ofAll[itself] as number;
  const share = (values: Float64Array, whole = values[itself] as number) =>
    values.subarray(0, itself).map((value) => Math.min(1, value / whole));
  const pairs = phrase(pool);
  const nothingMissing = new Float64Array(texts.length).fill(1);
  return {
    // A question of one word has no pairs.
    phrase: share(pairs[itself] === 0 ? ofAll : pairs),
    rarest: share(rarest(pool)),
    lead: share(lead(pool), all),
    grams: share(grams(pool, lexicon)),
    mass: ofAll.subarray(0, itself).map((value) => value / (value + HALF * pool.inverseFrequency(1))),
    date: date(pool)?.subarray(0, itself) ?? nothingMissing,
    number: number(pool)?.subarray(0, itself) ?? nothingMissing,
  };
}

/** How much of the question the beginning of each passage names. */
function lead({ hits, idf }: Pool): Float64Array {
  return Float64Array.from(hits, (own) => {
    const terms = new Set(own.filter(({ at }) => at < LEAD).map(({ term }) => term));
    return [...terms].reduce((sum, term) => sum + (idf[term] as number), 0);
  });
}

/**
 * For each text the probability, 0..1, that it answers the question, judged by its words alone: it neither reads nor
 * knows what is true. 0 for a blank text, and for a question without words. The order of the texts is without
 * influence.
 *
 * @param texts the whole pool, for words that few of them have count for more. One is enough.
 * @param lexicon keeps analyses that are made already.
 */
export function support(query: string, texts: readonly string[], lexicon: Lexicon = new Lexicon()): number[] {
  const features = supportFeatures(query, texts, lexicon);
  const weights = Object.entries(SUPPORT.weights) as [keyof SupportFeatures, number][];
  return texts.map((text, place) => {
    if (features === undefined || text.trim() === '') return 0;
    let logOdds: number = SUPPORT.bias;
    for (const [name, weight] of weights) logOdds += weight * (features[name][place] as number);
    return logistic(logOdds);
  });
}

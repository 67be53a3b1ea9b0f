/**
 * The probability that a text answers a question, judged by its words. It is absolute, so it can show that no text of a
 * pool answers. Relevance cannot: it is relative to the best text of the pool.
 *
 *   p = logistic(bias + Σ w·v),    v = value of the text as a share of the value of the question itself, 0..1
 *
 * The weights are learned by logistic regression (D. Cox, "The regression analysis of binary sequences", 1958); none is
 * below 0. The two bounds are used as in S. Yan et al., "Corrective Retrieval Augmented Generation", 2024: retrieval is
 * correct if one text reaches the upper bound, incorrect if all are below the lower bound, else ambiguous.
 */
import { logistic } from '../math/logprobs.js';
import { finish } from '../math/steps.js';
import { Lexicon } from '../text/lexicon.js';
import { withoutEchoes } from './echo.js';
import { date, number } from './expectations.js';
import { grams } from './grams.js';
import { coverage, phrase, rarest } from './matches.js';
import { questionOf } from './passage.js';
import { Pool } from './pool.js';
import { SUPPORT } from './support-coefficients.js';

/** Number of empty texts that represent the texts not retrieved: in a pool of one text, no word would be rare. */
const UNFOUND = 10;
/** Number of terms at the beginning of a text, where texts name their subject. */
const LEAD = 12;
/** `mass` is one half at the weight of this number of rare terms: two shared words are less evidence than six. */
const HALF = 1.3;
const NONE = new Int32Array(0);

/** The features by name: one value per text, 0..1. */
export type SupportFeatures = Record<keyof typeof SUPPORT.weights, Float64Array>;

/**
 * Computes the features of support.
 *
 * @param texts the whole pool.
 * @returns undefined if the question has no words.
 */
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
    ...finish(withoutEchoes(texts.map(passageOf), question, lexicon.vocabulary)),
    ...[query, ...Array<string>(UNFOUND).fill('')].map(passageOf),
  ];
  const pool = finish(Pool.of(question, passages, lexicon.vocabulary));
  const itself = texts.length;
  const ofAll = coverage(pool);
  const all = ofAll[itself] as number;
  const share = (values: Float64Array, whole = values[itself] as number) =>
    values.subarray(0, itself).map((value) => Math.min(1, value / whole));
  const pairs = finish(phrase(pool));
  const nothingMissing = new Float64Array(texts.length).fill(1);
  return {
    // A question of one word has no pairs, so its word counts.
    phrase: share(pairs[itself] === 0 ? ofAll : pairs),
    rarest: share(rarest(pool)),
    lead: share(lead(pool), all),
    grams: share(finish(grams(pool, lexicon))),
    mass: ofAll.subarray(0, itself).map((value) => value / (value + HALF * pool.inverseFrequency(1))),
    date: finish(date(pool))?.subarray(0, itself) ?? nothingMissing,
    number: finish(number(pool))?.subarray(0, itself) ?? nothingMissing,
  };
}

/** Sums the weights (idf) of the question's words at the beginning of each passage. */
function lead({ hits, idf }: Pool): Float64Array {
  return Float64Array.from(hits, (own) => {
    const terms = new Set(own.filter(({ at }) => at < LEAD).map(({ term }) => term));
    return [...terms].reduce((sum, term) => sum + (idf[term] as number), 0);
  });
}

/**
 * Estimates for each text the probability, 0..1, that it answers the question. Only words are compared: the function
 * neither understands texts nor checks whether they are true. It returns 0 for a blank text, and 0 for all texts if the
 * question has no words. The order of the texts has no influence.
 *
 * @param texts the whole pool, because words that few texts contain count for more. A pool of one text is valid.
 * @param lexicon keeps the analyses of texts. Give the same one again to reuse them.
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

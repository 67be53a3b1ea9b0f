/**
 * The probability that a pool of texts answers a question, judged by its words. It is absolute: it shows that no text of
 * a pool answers. A place in a ranking cannot show that.
 *
 *   support(text)    = logistic(bias + Σ w·v)
 *   answerable(pool) = the greatest support of its texts; with vectors, its log-odds + 4.4 t (lead − .36)
 *   lead             = (best cosine − fifth best) / (1 − fifth best)
 *
 * `support` of a text is the probability that a pool answers in which this text is the best. Weights and bias are learned
 * together from whole pools, with the best text of each as its example, until the best texts no longer change (O. Maron,
 * T. Lozano-Pérez, "A framework for multiple-instance learning", 1998; D. Cox, "The regression analysis of binary
 * sequences", 1958). No weight is below 0, so a better text never lowers the probability.
 *
 * The best cosine of a pool that answers leads the fifth by more of the way to 1. Models give cosines of different scales,
 * which this share does not depend on: if all texts have a part in common, all distances to 1 shrink alike. `t` is the trust
 * in the vectors (`similarity.ts`). Vectors of static models and of turns of a conversation lead no better with the answer
 * than without it, and do not count. Both numbers were fitted by logistic regression on dense lists of 20 of seven sets, with
 * the evidence and without (`npm run eval -- --suite real-lists`).
 *
 * The values v, 0..1. "Share" is a share of the value that the question itself has as a text of the pool:
 *
 *   grams    BM25 over n-grams of characters, as a share
 *   phrase   pairs of neighbouring words of the question, as a share; 0 for a question without pairs
 *   title    share of the words of the title that the question has
 *   mass     m / (m + 1.3 idf(1)), m = Σ idf of the question's words in the text: six shared words are more than two
 *   bm25     BM25 / (BM25 + 20)
 *   names    share of the capitalised words inside the question that the text has; 1 without any
 *   numbers  1 if the text has every number of the question, else 0
 *   date     1 if the text has a date, or the question does not ask for one, else 0
 *
 * The second and third best text, the number of texts, the length of the question and the share of its words in the whole
 * pool were measured beside the best text, with whole data sets left out. None of them improves the estimate.
 */
import { logistic } from '../math/logprobs.js';
import type { Lexicon } from '../text/lexicon.js';
import type { Answerable } from '../types.js';
import { ANSWERABLE_BOUNDS } from './answerable-bounds.js';
import { ANSWERABLE } from './answerable-coefficients.js';
import { date } from './expectations.js';
import { grams } from './grams.js';
import { coverage, phrase, title } from './matches.js';
import { logOddsOf } from './model.js';
import type { Passage, Question } from './passage.js';
import { bm25, inverseFrequency, Pool } from './pool.js';

/** Log-odds of the lead, and the lead that changes nothing. */
const LEAD = { weight: 4.4, neutral: 0.36 };
/** The place of the cosine that the best is compared with, from 0. */
const FIFTH = 4;

/**
 * Number of texts without a word of the question that stand for those not retrieved. Without them no word would be rare
 * in a pool in which every text matches, and such a pool would seem to hold nothing.
 */
const unfound = (texts: number) => 10 * (texts + 10);
/** `mass` is one half at the weight of this number of rare words. */
const HALF_MASS = 1.3;
/** `bm25` is one half at this sum. */
const HALF_BM25 = 20;
const NONE = new Int32Array(0);
/** A capitalised word that does not begin the question. */
const NAME = /(?<=[\p{L}\p{N},] )\p{Lu}[\p{L}\p{N}]+/gu;
const NUMBER = /\p{N}/u;

/** The values by name: one per text, 0..1. */
export type SupportFeatures = Record<keyof typeof ANSWERABLE.weights, Float64Array>;

/**
 * Computes the values from which support is computed.
 *
 * @param passages the whole pool, without echoes of the question. Words that few passages contain count for more.
 * @returns undefined if the question has no words.
 */
export function supportFeatures(
  question: Question,
  passages: readonly Passage[],
  lexicon: Lexicon,
): SupportFeatures | undefined {
  if (question.terms.length === 0) return undefined;
  const itself = passages.length;
  const pool = Pool.of(
    question,
    [...passages.map((passage) => withSpeaker(passage, question, lexicon)), asPassage(question, lexicon)],
    lexicon.vocabulary,
  );
  const own = (values: Float64Array, value: (own: number, whole: number) => number) => {
    const whole = values[itself] as number;
    return values.subarray(0, itself).map((each) => value(each, whole));
  };
  const share = (each: number, whole: number) => (whole > 0 ? Math.min(1, each / whole) : 0);
  const weights = [...pool.weightOf.values()];
  const { occurrences } = pool;
  const size = pool.size + unfound(itself);
  const idf = occurrences.frequencies.map(
    (df, term) => (weights[term] as number) * inverseFrequency(df, size),
  );
  const halfMass = HALF_MASS * inverseFrequency(1, size);
  return {
    grams: own(grams(pool, lexicon), share),
    phrase: own(phrase(pool), share),
    title: own(title(pool), (each) => each),
    mass: own(coverage({ size: pool.size, occurrences, idf }), (mass) => mass / (mass + halfMass)),
    bm25: own(bm25(occurrences, pool.passages, idf), (sum) => sum / (sum + HALF_BM25)),
    names: own(shareOf(namesOf(question, lexicon), pool), (each) => each),
    numbers: own(shareOf(numbersOf(question, lexicon), pool), Math.floor),
    date: date(pool)?.subarray(0, itself) ?? new Float64Array(itself).fill(1),
  };
}

/** A turn of a talk whose speaker the question names has the name among its words. */
function withSpeaker(passage: Passage, question: Question, lexicon: Lexicon): Passage {
  const { speaker, ...spoken } = passage;
  if (speaker === undefined) return passage;
  const name = lexicon.searchTerms(speaker);
  return name.some((term) => question.terms.includes(term))
    ? { ...spoken, terms: Int32Array.from([...name, ...passage.terms]) }
    : spoken;
}

/** The question as a text, with the words that it takes from the conversation before it. */
function asPassage({ text, carried }: Question, lexicon: Lexicon): Passage {
  const words = carried?.words ?? [];
  const { vocabulary } = lexicon;
  return {
    text,
    title: NONE,
    terms: Int32Array.from([...lexicon.searchTerms(text), ...words.map(({ term }) => term)]),
    runs: Int32Array.from([...lexicon.runs(text), ...words.map(({ word }) => vocabulary.idOf(word))]),
  };
}

function namesOf({ text, terms }: Question, lexicon: Lexicon): ReadonlySet<number> {
  const names = lexicon.queryTerms((text.match(NAME) ?? []).join(' '));
  return new Set(names.filter((term) => terms.includes(term)));
}

const numbersOf = ({ terms }: Question, { vocabulary }: Lexicon): ReadonlySet<number> =>
  new Set(terms.filter((term) => NUMBER.test(vocabulary.wordOf(term))));

/** The share of these terms of the question that each passage has; 1 without any. */
function shareOf(sought: ReadonlySet<number>, pool: Pool): Float64Array {
  const isSought = Array.from(pool.weightOf.keys(), (term) => sought.has(term));
  const { starts, terms } = pool.occurrences;
  return Float64Array.from(pool.passages, (_, place) => {
    if (sought.size === 0) return 1;
    let found = 0;
    const end = starts[place + 1] as number;
    for (let at = starts[place] as number; at < end; at++) found += Number(isSought[terms[at] as number]);
    return found / sought.size;
  });
}

/** Returns the support of each passage; undefined if the question has no words. */
export function supportOf(
  question: Question,
  passages: readonly Passage[],
  lexicon: Lexicon,
): number[] | undefined {
  const features = supportFeatures(question, passages, lexicon);
  if (features === undefined) return undefined;
  const weights = Object.entries(ANSWERABLE.weights) as [keyof SupportFeatures, number][];
  return passages.map(({ text }, place) => {
    if (text.trim() === '') return 0;
    let logOdds: number = ANSWERABLE.bias;
    for (const [name, weight] of weights) logOdds += weight * (features[name][place] as number);
    return logistic(logOdds);
  });
}

/**
 * Estimates whether the passages answer the question. Words are compared, and with `vectors` cosines: the function neither
 * understands texts nor checks whether they are true. By words alone, a question in another language than the texts is
 * `unlikely` to be answered.
 *
 * The probability is 0 without passages, or if all are blank. It is one half, and the verdict `unclear`, if the question
 * has no words. The order of the passages has no influence.
 *
 * @param passages the whole pool, without echoes of the question.
 * @param vectors the cosines of the passages, and the trust in them, 0..1. Fewer than five change nothing.
 */
export function answerableOf(
  question: Question,
  passages: readonly Passage[],
  lexicon: Lexicon,
  vectors?: { readonly cosines: readonly number[]; readonly trust: number },
): Answerable {
  const supports = supportOf(question, passages, lexicon);
  const byWords = supports?.reduce((most, each) => Math.max(most, each), 0) ?? 1 / 2;
  const lead = vectors === undefined ? undefined : leadOf(vectors.cosines);
  const probability =
    vectors === undefined || lead === undefined || byWords === 0
      ? byWords
      : logistic(logOddsOf(byWords) + vectors.trust * LEAD.weight * (lead - LEAD.neutral));
  const { lower, upper } = ANSWERABLE_BOUNDS;
  const verdict = probability >= upper ? 'likely' : probability < lower ? 'unlikely' : 'unclear';
  return { verdict, probability };
}

function leadOf(cosines: readonly number[]): number | undefined {
  const sorted = Float64Array.from(cosines).sort().reverse();
  const [best, fifth] = [sorted[0], sorted[FIFTH]];
  return best === undefined || fifth === undefined || fifth >= 1 ? undefined : (best - fifth) / (1 - fifth);
}

/**
 * The occurrences of a question's terms in a pool of passages, and the weight of each term.
 *
 *   idf(t)     = ln(1 + (N − F(t) + ½) / (F(t) + ½)),   N = n + b,   F(t) = df(t) + b · share(t)
 *   BM25(d, q) = Σ_t∈q idf(t) · tf(t,d) (k1 + 1) / (tf(t,d) + k1 (1 − b + b |d| / avg|d|))
 *
 * Source: S. Robertson, H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, with
 * Lucene's positive idf. The mean avg|d| is over the passages of the same speaker: compared with an assistant's
 * essays, every turn of a user is short, and would rank first for that alone.
 *
 * If the passages were retrieved for the question, all of them contain words of the question, so the pool does not
 * show which words are rare. Then b in idf is 1,000 texts of everyday English, of which share(t) contain the term.
 * Otherwise, and if the question is not English, that b is 0.
 */

import { log } from '../math/elementary.js';
import type { Background } from '../text/background.js';
import type { Vocabulary } from '../text/vocabulary.js';
import { NamedSpeakers } from './named-speakers.js';
import { Occurrences } from './occurrences.js';
import type { Passage, Question } from './passage.js';

const K1 = 1.2;
const B = 0.4;
const BACKGROUND_TEXTS = 1000;

/** An occurrence of a term of the question in a passage: index in the passage, and index in the question's terms. */
export interface Hit {
  readonly at: number;
  readonly term: number;
}

/** A pool of passages, matched against one question. */
export class Pool {
  readonly size: number;
  /** Weights of the words of the question, 1, and of those that it carries over from earlier turns. */
  readonly weightOf: ReadonlyMap<number, number>;
  readonly occurrences: Occurrences;
  /** The weight of each term; 0 for a term that no passage contains, because it does not distinguish passages. */
  readonly idf: Float64Array;
  /** The same with the weights of terms that no passage contains: how much each says about the question. */
  readonly importance: Float64Array;
  /** All terms of the question, function words included. */
  readonly asked: ReadonlySet<number>;

  /**
   * Matches the passages.
   *
   * @param language word frequencies of the language, if the passages were retrieved for the question.
   */
  static of(
    question: Question,
    passages: readonly Passage[],
    vocabulary: Vocabulary,
    language?: Background,
  ): Pool {
    const speakers = new NamedSpeakers(question, passages, vocabulary);
    const terms = termsWithWeights(question);
    const sought = new Map(Array.from(terms.keys(), (word, at) => [word, at]));
    const hits = passages.map(({ terms }) => hitsOf(terms, sought, speakers.names));
    return new Pool(question, passages, vocabulary, terms, hits, speakers, language);
  }

  private constructor(
    readonly question: Question,
    readonly passages: readonly Passage[],
    readonly vocabulary: Vocabulary,
    terms: ReadonlyMap<number, number>,
    /** The hits of each passage, in the order of its text. */
    readonly hits: readonly (readonly Hit[])[],
    readonly speakers: NamedSpeakers,
    language: Background | undefined,
  ) {
    this.size = passages.length;
    this.weightOf = terms;
    this.asked = new Set([...terms.keys(), ...question.sequence]);
    this.occurrences = new Occurrences(terms.size);
    for (const hits of this.hits) {
      for (const { term } of hits) this.occurrences.add(term);
      this.occurrences.next();
    }
    const background = language?.isEnglish(wordsOf(question.sequence, vocabulary)) ? BACKGROUND_TEXTS : 0;
    const weighted = [...terms];
    this.importance = this.occurrences.frequencies.map((df, at) => {
      const [term, weight] = weighted[at] as [number, number];
      // The name of a speaker says whose turns are meant, and nothing about their subject.
      if (speakers.names.has(term)) return 0;
      const share = language?.shareOfTexts(vocabulary.wordOf(term)) ?? 0;
      return weight * inverseFrequency(df + background * share, this.size + background);
    });
    this.idf = this.importance.map((weight, at) => (this.occurrences.frequencies[at] === 0 ? 0 : weight));
  }

  /** Returns the idf, within this pool, of a term that `df` passages contain. */
  inverseFrequency(df: number): number {
    return inverseFrequency(df, this.size);
  }

  /** Computes BM25 of each passage. There is no upper bound; 0 if no term matches. */
  bm25(): Float64Array {
    return bm25(this.occurrences, this.passages, this.idf);
  }
}

/**
 * Computes BM25 of each passage. There is no upper bound; 0 if no term matches.
 *
 * @param passages speakers and lengths of the passages.
 * @param idf weight of each term.
 */
export function bm25(
  { starts, terms, times }: Occurrences,
  passages: readonly Pick<Passage, 'speaker' | 'terms' | 'length'>[],
  idf: Float64Array,
): Float64Array {
  return relativeLengths(passages).map((length, place) => {
    const norm = K1 * (1 - B + B * length);
    let sum = 0;
    const end = starts[place + 1] as number;
    for (let at = starts[place] as number; at < end; at++) {
      const count = times[at] as number;
      sum += ((idf[terms[at] as number] as number) * count * (K1 + 1)) / (count + norm);
    }
    return sum;
  });
}

const wordsOf = (ids: Int32Array, vocabulary: Vocabulary) => Array.from(ids, (id) => vocabulary.wordOf(id));

export const inverseFrequency = (df: number, size: number) => log(1 + (size - df + 0.5) / (df + 0.5));

/**
 * Returns the indices of the `most` greatest values, greatest first. If values are equal, the first one comes first.
 */
export function bestPlaces(values: Float64Array, most: number): number[] {
  const best: number[] = [];
  for (let place = 0; place < values.length; place++) {
    const value = values[place] as number;
    let rank = best.length;
    while (rank > 0 && value > (values[best[rank - 1] as number] as number)) rank--;
    if (rank === most) continue;
    best.splice(rank, 0, place);
    if (best.length > most) best.pop();
  }
  return best;
}

function hitsOf(terms: Int32Array, sought: ReadonlyMap<number, number>, names: ReadonlySet<number>): Hit[] {
  const hits: Hit[] = [];
  for (let at = 0; at < terms.length; at++) {
    const word = terms[at] as number;
    const term = sought.get(word);
    if (term !== undefined && !names.has(word)) hits.push({ at, term });
  }
  return hits;
}

function termsWithWeights({ terms, carried }: Question): Map<number, number> {
  const weights = new Map(Array.from(terms, (term) => [term, 1]));
  for (const { term, weight } of carried?.words ?? []) weights.set(term, weights.get(term) ?? weight);
  return weights;
}

/** Returns the length of each passage, divided by the mean length of the passages of its speaker. */
function relativeLengths(passages: readonly Pick<Passage, 'speaker' | 'terms' | 'length'>[]): Float64Array {
  const totals = new Map<string | undefined, { passages: number; terms: number }>();
  for (const { speaker, terms, length = terms.length } of passages) {
    const total = totals.get(speaker) ?? { passages: 0, terms: 0 };
    totals.set(speaker, { passages: total.passages + 1, terms: total.terms + length });
  }
  return Float64Array.from(passages, ({ speaker, terms, length = terms.length }) => {
    const total = totals.get(speaker) as { passages: number; terms: number };
    return total.terms === 0 ? 1 : (length * total.passages) / total.terms;
  });
}

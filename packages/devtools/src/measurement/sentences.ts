/**
 * The rival that needs twenty lines: sentences by BM25, a prior of their chunk, and neighbours. Nothing is fitted to data.
 * Shaping has to be worth more than this.
 *
 *   score(s) = 1.5 prior(chunk of s) + (b(s) + .4 b(sentence before) + .2 b(sentence after)) / max b
 *   b        = BM25 of sentences with k1 = .9, b = .4, idf(t) = ln(1 + (n − df(t) + ½) / (df(t) + ½))
 *
 * Neighbours count within a chunk. Source of BM25: S. Robertson, H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and
 * Beyond", 2009, with Lucene's positive idf.
 */

const PRIOR = 1.5;
const K1 = 0.9;
const B = 0.4;
const BEFORE = 0.4;
const AFTER = 0.2;
const PLACES = 10;

const FUNCTION_WORDS = new Set(
  (
    'a an the and or but if then than so of in on at to for from by with about as is are was were be been being am do does ' +
    'did do have has had i me my you your he him his she her it its we us our they them their this that these those there ' +
    'here what which who whom whose when where why how will would can could should may might must not no nor just also'
  ).split(' '),
);
const ENDING = /(?<=[a-z]{3})(ies|es|s|ed|ing|ly)$/;
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });
const segments = new Intl.Segmenter('und', { granularity: 'word' });
/**
 * Parts that segmenters read. Each segment holds a copy of the whole input, so memory and time would grow with
 * the square of a text. Lines and white space end sentences and words in any case.
 */
const LINES = /[^\n]{1,2000}(?:$|(?=\n)|(?<=[.!?]\s|[。！？])(?![\s\p{Ll}]))|[^\n]{1,2000}/gu;
const STRETCHES = /[\s\S]{1,1000}(?!\S)|[\s\S]{1,256}/gu;

/** Words in lower case without function words and common endings of English. */
export const plainWordsOf = (text: string): readonly string[] =>
  (text.toLowerCase().match(STRETCHES) ?? []).flatMap((stretch) =>
    Array.from(segments.segment(stretch))
      .filter(({ isWordLike, segment }) => isWordLike && !FUNCTION_WORDS.has(segment))
      .map(({ segment }) => segment.replace(ENDING, '')),
  );

/** The sentences of a text, without white space at their ends. */
export const plainSentencesOf = (text: string): readonly string[] =>
  (text.match(LINES) ?? []).flatMap((line) =>
    Array.from(sentences.segment(line), ({ segment }) => segment.trim()).filter((each) => each !== ''),
  );

/** A sentence of a list of chunks. */
export interface PlainSentence {
  text: string;
  words: readonly string[];
  /** Index of its chunk in the list, from 0. */
  place: number;
}

/** How rare a word is. */
export type Rarity = (word: string) => number;

/** How rare a word is among texts, given as words. */
export function rarityAmong(texts: readonly (readonly string[])[]): Rarity {
  const counts = new Map<string, number>();
  for (const words of texts) for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return (word) => {
    const df = counts.get(word) ?? 0;
    return Math.log(1 + (texts.length - df + 0.5) / (df + 0.5));
  };
}

/** The prior of a place in a ranked list, from 0: 10 / (10 + place). */
export const priorOfPlace = (place: number): number => PLACES / (PLACES + place);

/** Scores of a retriever as priors: each over the greatest. An absent score is 0. */
export function priorsOfScores(scores: ArrayLike<number | undefined>): number[] {
  const numbers = Array.from(scores, (score) => score ?? 0);
  const greatest = Math.max(1e-9, ...numbers);
  return numbers.map((score) => score / greatest);
}

/**
 * The score of each sentence.
 *
 * @param asked the words of the question; each counts once.
 * @param priors of the chunks, by their places.
 */
export function sentenceScores(
  asked: readonly string[],
  all: readonly PlainSentence[],
  priors: ArrayLike<number>,
  rarityOf: Rarity,
): number[] {
  const average = all.reduce((sum, { words }) => sum + words.length, 0) / all.length || 1;
  const bm25 = all.map(({ words }) =>
    [...new Set(asked)].reduce((sum, word) => {
      const count = words.reduce((found, each) => found + Number(each === word), 0);
      const norm = K1 * (1 - B + (B * words.length) / average);
      return sum + (count && (rarityOf(word) * count * (K1 + 1)) / (count + norm));
    }, 0),
  );
  const most = bm25.reduce((greatest, score) => Math.max(greatest, score), 1e-9);
  const near = (at: number, place: number) => (all[at]?.place === place ? (bm25[at] as number) : 0);
  return all.map(
    ({ place }, at) =>
      PRIOR * (priors[place] as number) +
      (near(at, place) + BEFORE * near(at - 1, place) + AFTER * near(at + 1, place)) / most,
  );
}

/**
 * The sentences that fit a budget, taken in an order; those of a chunk are joined in the order of its text. A sentence that
 * does not fit is skipped.
 *
 * @param order indices of sentences, best first.
 * @param tokens of each sentence.
 * @returns the joined text of each chunk that has a sentence, by the chunk's place.
 */
export function filledWithSentences(
  all: readonly PlainSentence[],
  order: readonly number[],
  tokens: ArrayLike<number>,
  maxTokens: number,
): Map<number, string> {
  let left = maxTokens;
  const taken = order.filter((at) => {
    // One more for the space between sentences.
    const own = (tokens[at] as number) + 1;
    if (own > left) return false;
    left -= own;
    return true;
  });
  const texts = new Map<number, string>();
  for (const at of taken.toSorted((a, b) => a - b)) {
    const { place, text } = all[at] as PlainSentence;
    const before = texts.get(place);
    texts.set(place, before === undefined ? text : `${before} ${text}`);
  }
  return texts;
}

/** Indices by value, greatest first, ties in order of the indices. */
export const descending = (values: ArrayLike<number>): number[] =>
  Array.from(values, (_, at) => at).sort((a, b) => (values[b] as number) - (values[a] as number) || a - b);

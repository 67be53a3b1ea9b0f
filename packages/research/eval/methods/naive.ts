/**
 * The rival that needs twenty lines: sentences by BM25, a prior from the retriever, and neighbours. The best sentences that
 * fit, in the order of the texts. Nothing is fitted to data. Shaping has to be worth more than this.
 *
 *   score(s) = 1.5 prior(chunk of s) + (b(s) + .4 b(sentence before) + .2 b(sentence after)) / max b
 *   prior    = score / greatest score; without scores 10 / (10 + place), place from 0; where the order means nothing
 *              BM25 of the chunk / greatest
 *   b        = BM25 of sentences with k1 = .9, b = .4, idf(t) = ln(1 + (n − df(t) + ½) / (df(t) + ½))
 */
import type { Chunk, TokenCounter } from 'context-shaping';
import { seededRandom, shuffled } from '../../../../test/random.js';
import type { Kept } from '../metrics.js';
import type { Pool } from '../pool.js';
import { bm25Scores } from './lexical.js';
import { descending, type Method } from './method.js';

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

/** The same passages are in many pools, and in each at many budgets. */
function remembering<T>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const value = known.get(text) ?? compute(text);
    known.set(text, value);
    return value;
  };
}

const wordsOf = remembering((text): readonly string[] =>
  Array.from(segments.segment(text.toLowerCase()))
    .filter(({ isWordLike, segment }) => isWordLike && !FUNCTION_WORDS.has(segment))
    .map(({ segment }) => segment.replace(ENDING, '')),
);
const sentencesOf = remembering((text): readonly string[] =>
  Array.from(sentences.segment(text), ({ segment }) => segment.trim()).filter((each) => each !== ''),
);

interface Sentence {
  text: string;
  /** Of the chunk, in the pool. */
  place: number;
}

type Rarity = (word: string) => number;

const rarity = (n: number, df: number) => Math.log(1 + (n - df + 0.5) / (df + 0.5));

/** How rare a word is among texts. */
function rarityIn(texts: readonly string[]): Rarity {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const word of new Set(wordsOf(text))) counts.set(word, (counts.get(word) ?? 0) + 1);
  return (word) => rarity(texts.length, counts.get(word) ?? 0);
}

/** How rare a word is in a collection, which is counted once. */
const collections = new WeakMap<readonly Chunk[], Rarity>();
function rarityInCollection(chunks: readonly Chunk[]): Rarity {
  const known = collections.get(chunks) ?? rarityIn(chunks.map(({ text }) => text));
  collections.set(chunks, known);
  return known;
}

function priorsOf(pool: Pool): ArrayLike<number> {
  const { chunks, ranked } = pool;
  const isScored = chunks.some(({ score }) => score != null);
  if (!isScored && ranked !== undefined && ranked !== false)
    return chunks.map((_, place) => PLACES / (PLACES + place));
  const scores = isScored ? chunks.map(({ score }) => score ?? 0) : bm25Scores(pool);
  const greatest = Math.max(1e-9, ...scores);
  return Array.from(scores, (score) => score / greatest);
}

function scoresOf(pool: Pool, all: readonly Sentence[], rarityOf: Rarity): number[] {
  const texts = all.map(({ text }) => wordsOf(text));
  const mean = texts.reduce((sum, { length }) => sum + length, 0) / all.length || 1;
  const asked = [...new Set(wordsOf(pool.question))];
  const bm25 = texts.map((words) =>
    asked.reduce((sum, word) => {
      const count = words.reduce((found, each) => found + Number(each === word), 0);
      const norm = K1 * (1 - B + (B * words.length) / mean);
      return sum + (count && (rarityOf(word) * count * (K1 + 1)) / (count + norm));
    }, 0),
  );
  const most = Math.max(1e-9, ...bm25);
  const prior = priorsOf(pool);
  const near = (at: number, place: number) => (all[at]?.place === place ? (bm25[at] as number) : 0);
  return all.map(
    ({ place }, at) =>
      PRIOR * (prior[place] as number) +
      (near(at, place) + BEFORE * near(at - 1, place) + AFTER * near(at + 1, place)) / most,
  );
}

/** The sentences in this order, as many as fit; those of a chunk are joined in the order of its text. */
function filled(
  { chunks }: Pool,
  all: readonly Sentence[],
  order: readonly number[],
  maxTokens: number,
  countTokens: TokenCounter,
): Kept[] {
  let left = maxTokens;
  const taken = order.filter((at) => {
    // One more for the space between sentences.
    const tokens = countTokens((all[at] as Sentence).text) + 1;
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
  const texts = new Map<number, string[]>();
  for (const at of taken.toSorted((a, b) => a - b)) {
    const { place, text } = all[at] as Sentence;
    texts.set(place, [...(texts.get(place) ?? []), text]);
  }
  return Array.from(texts, ([place, parts]) => ({
    id: (chunks[place] as Chunk).id,
    text: parts.join(' '),
  }));
}

function sentenceMethod(
  name: string,
  orderOf: (pool: Pool, all: readonly Sentence[]) => readonly number[],
): Method {
  // One pool is asked for at several budgets.
  const known = new WeakMap<Pool, { all: Sentence[]; order: readonly number[] }>();
  const orderIn = (pool: Pool) => {
    const all = pool.chunks.flatMap(({ text }, place) =>
      sentencesOf(text).map((sentence) => ({ text: sentence, place })),
    );
    return { all, order: all.length === 0 ? [] : orderOf(pool, all) };
  };
  return {
    name,
    needsVectors: false,
    async fit(pool, maxTokens, countTokens) {
      const { all, order } = known.get(pool) ?? orderIn(pool);
      known.set(pool, { all, order });
      return filled(pool, all, order, maxTokens, countTokens);
    },
  };
}

/** Knows how rare a word is in the pool, as shaping does. */
export const naive: Method = sentenceMethod('naive sentences', (pool, all) =>
  descending(scoresOf(pool, all, rarityIn(all.map(({ text }) => text)))),
);

/** Knows how rare a word is in the whole collection, where there is one. */
export const naiveOfCollection: Method = sentenceMethod('naive, IDF of all', (pool, all) =>
  descending(scoresOf(pool, all, rarityInCollection(pool.collection ?? pool.chunks))),
);

export const randomSentences: Method = sentenceMethod('random sentences', ({ seed }, all) =>
  shuffled([...all.keys()], seededRandom(-1 - seed)),
);

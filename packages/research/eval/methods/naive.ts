/**
 * The rival that needs twenty lines (`sentenceScores`), as a method: the best sentences that fit, in the order of the texts.
 * The prior of a chunk is its score over the greatest; without scores 10 / (10 + place), place from 0; where the order means
 * nothing, BM25 of the chunk over the greatest.
 */
import type { Chunk } from 'context-shaping';
import {
  descending,
  filledWithSentences,
  type PlainSentence,
  plainSentencesOf,
  plainWordsOf,
  priorOfPlace,
  priorsOfScores,
  type Rarity,
  rarityAmong,
  seededRandom,
  sentenceScores,
  shuffled,
} from '../../../devtools/src/measurement/index.js';
import type { Pool } from '../pool.js';
import { bm25Scores } from './lexical.js';
import type { Method } from './method.js';

/** The same passages are in many pools, and in each at many budgets. */
function remembering<T>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const value = known.get(text) ?? compute(text);
    known.set(text, value);
    return value;
  };
}

const wordsOf = remembering(plainWordsOf);
const sentencesOf = remembering(plainSentencesOf);

/** How rare a word is in a collection, which is counted once. */
const collections = new WeakMap<readonly Chunk[], Rarity>();
function rarityInCollection(chunks: readonly Chunk[]): Rarity {
  const known = collections.get(chunks) ?? rarityAmong(chunks.map(({ text }) => wordsOf(text)));
  collections.set(chunks, known);
  return known;
}

function priorsOf(pool: Pool): readonly number[] {
  const { chunks, ranked } = pool;
  const isScored = chunks.some(({ score }) => score != null);
  if (!isScored && ranked !== undefined && ranked !== false)
    return chunks.map((_, place) => priorOfPlace(place));
  return priorsOfScores(isScored ? chunks.map(({ score }) => score ?? undefined) : bm25Scores(pool));
}

const scoresOf = (pool: Pool, all: readonly PlainSentence[], rarityOf: Rarity) =>
  sentenceScores(wordsOf(pool.question), all, priorsOf(pool), rarityOf);

function sentenceMethod(
  name: string,
  orderOf: (pool: Pool, all: readonly PlainSentence[]) => readonly number[],
): Method {
  // One pool is asked for at several budgets.
  const known = new WeakMap<Pool, { all: PlainSentence[]; order: readonly number[] }>();
  const orderIn = (pool: Pool) => {
    const all = pool.chunks.flatMap(({ text }, place) =>
      sentencesOf(text).map((sentence) => ({ text: sentence, words: wordsOf(sentence), place })),
    );
    return { all, order: all.length === 0 ? [] : orderOf(pool, all) };
  };
  return {
    name,
    needsVectors: false,
    async fit(pool, maxTokens, countTokens) {
      const { all, order } = known.get(pool) ?? orderIn(pool);
      known.set(pool, { all, order });
      const tokens = all.map(({ text }) => countTokens(text));
      return Array.from(filledWithSentences(all, order, tokens, maxTokens), ([place, text]) => ({
        id: (pool.chunks[place] as Chunk).id,
        text,
      }));
    },
  };
}

/** Knows how rare a word is in the pool, as shaping does. */
export const naive: Method = sentenceMethod('naive sentences', (pool, all) =>
  descending(scoresOf(pool, all, rarityAmong(all.map(({ words }) => words)))),
);

/** Knows how rare a word is in the whole collection, where there is one. */
export const naiveOfCollection: Method = sentenceMethod('naive, IDF of all', (pool, all) =>
  descending(scoresOf(pool, all, rarityInCollection(pool.collection ?? pool.chunks))),
);

export const randomSentences: Method = sentenceMethod('random sentences', ({ seed }, all) =>
  shuffled([...all.keys()], seededRandom(-1 - seed)),
);

/** Ours and its rivals on lists with vectors. Each knows the same: the order, the words, the cosines. */
import { createShaper, type ShapingOptions } from 'context-shaping';
import { seededRandom, shuffled } from '../../../../test/random.js';
import {
  descending,
  filledWithSentences,
  plainSentencesOf,
} from '../../../devtools/src/measurement/index.js';
import { embeddingsFilter, maximalMarginal } from '../methods/langchain.js';
import { bm25Scores, plain } from '../methods/lexical.js';
import { type Method, ranker } from '../methods/method.js';
import { naive, randomSentences } from '../methods/naive.js';
import { STATIC } from '../methods/ours.js';
import type { Pool } from '../pool.js';
import { fused } from './lists.js';

/** A list with its vectors as every method gets it. */
export interface RealPool extends Pool {
  cosines: readonly number[];
  /** The cosine of a sentence of its chunks and the question. */
  cosineOf: (sentence: string) => number;
}

const minMax = (values: ArrayLike<number>) => {
  const [least, most] = [Math.min(...Array.from(values)), Math.max(...Array.from(values))];
  return Array.from(values, (value) => (most > least ? (value - least) / (most - least) : 0));
};
const cosinesOf = (pool: Pool) => (pool as RealPool).cosines;

const withCosines = (pool: Pool): Pool => ({
  ...pool,
  chunks: pool.chunks.map((chunk, at) => ({ ...chunk, score: cosinesOf(pool)[at] as number })),
});

export const RIVALS: readonly Method[] = [
  plain,
  naive,
  {
    ...naive,
    name: 'naive, cosines as prior',
    fit: (pool, maxTokens, countTokens) => naive.fit(withCosines(pool), maxTokens, countTokens),
  },
  embeddingsFilter,
  {
    name: 'sentences by cosine',
    needsVectors: true,
    async fit(pool, maxTokens, countTokens) {
      const { chunks, cosineOf } = pool as RealPool;
      const all = chunks.flatMap(({ text }, place) =>
        plainSentencesOf(text).map((sentence) => ({ text: sentence, words: [], place })),
      );
      const order = descending(all.map(({ text }) => cosineOf(text)));
      const tokens = all.map(({ text }) => countTokens(text));
      return Array.from(filledWithSentences(all, order, tokens, maxTokens), ([place, text]) => ({
        id: chunks[place]?.id as string,
        text,
      }));
    },
  },
  maximalMarginal,
  ranker('reciprocal ranks', (pool) => fused([descending(bm25Scores(pool)), descending(cosinesOf(pool))])),
  ranker('words + cosines', (pool) => {
    const [words, cosines] = [minMax(bm25Scores(pool)), minMax(cosinesOf(pool))];
    return descending(words.map((value, at) => value + (cosines[at] as number)));
  }),
  randomSentences,
];

type Given = 'none' | 'vectors' | 'static vectors' | 'scores' | 'shuffled' | 'equal' | 'squeezed';

function ours(name: string, given: Given, isRanked = true, options: ShapingOptions = {}): Method {
  const inputOf = (pool: RealPool) => {
    const vectors = changed(pool, given);
    const chunks = pool.chunks.map((chunk, at) => ({
      ...chunk,
      ...(vectors && { embedding: vectors[at] }),
    }));
    const query = {
      text: pool.question,
      history: pool.history,
      ...(vectors && { embedding: pool.vectors?.question }),
    };
    return { query, chunks, ...(isRanked && { ranked: true }) };
  };
  const shaperOf = (own: ShapingOptions) =>
    createShaper({
      ...options,
      ...own,
      ...(given === 'static vectors' && { embedder: STATIC }),
    });
  return {
    name,
    needsVectors: given !== 'none',
    async fit(pool, maxTokens, tokenizer) {
      return (await shaperOf({ budget: { maxTokens }, tokenizer }).shape(inputOf(pool as RealPool))).chunks;
    },
    async top(pool, k) {
      const { chunks } = await shaperOf({ k, order: false, extract: false }).shape(inputOf(pool as RealPool));
      return chunks.map(({ id }) => id);
    },
  };
}

/** The vectors of the chunks, or what can go wrong with them. */
function changed({ vectors, seed }: RealPool, given: Given): readonly number[][] | undefined {
  if (given === 'none' || vectors === undefined) return undefined;
  if (given === 'shuffled') return shuffled(vectors.chunks, seededRandom(seed));
  if (given === 'equal') return vectors.chunks.map(() => vectors.chunks[0] as number[]);
  // With a common part, all cosines lie above .7.
  if (given === 'squeezed') {
    const common = vectors.chunks[0]?.map((_, at) =>
      vectors.chunks.reduce((sum, own) => sum + (own[at] as number), 0),
    );
    const length = Math.hypot(...(common ?? []));
    return vectors.chunks.map((own) =>
      own.map((value, at) => value + (1.5 * (common?.[at] as number)) / length),
    );
  }
  return vectors.chunks;
}

/** With vectors; a model that is static says so. */
export const oursWithVectors = (isStatic: boolean): Method =>
  ours('ours, vectors', isStatic ? 'static vectors' : 'vectors');

export const oursWithout: readonly Method[] = [
  ours('ours, nothing said', 'none', false),
  ours('ours, ranked', 'none'),
];

/** Whole chunks in our order. */
export const oursWhole: Method = ours('ours, whole chunks', 'vectors', true, { extract: false });

/** Opposite cases: vectors that are wrong or say nothing. */
export const OPPOSITES: readonly Method[] = [
  ours('ours, shuffled vectors', 'shuffled'),
  ours('ours, equal vectors', 'equal'),
  ours('ours, squeezed vectors', 'squeezed'),
  ours('ours, static said to be none', 'vectors'),
];

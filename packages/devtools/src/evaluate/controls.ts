/** Ways to fill a budget that need no shaping: each method of the user stands beside them. */
import type { Chunk } from 'context-shaping';
import {
  descending,
  filledWithSentences,
  plainSentencesOf,
  plainWordsOf,
  priorOfPlace,
  priorsOfScores,
  rarityAmong,
  seededRandom,
  sentenceScores,
  shuffled,
} from '../measurement/index.js';
import { within } from './texts.js';

/** A pool, as a control sees it. */
export interface ControlledPool {
  question: string;
  chunks: readonly Chunk[];
  /** The tokens of each chunk. */
  tokens: readonly number[];
  seed: number;
  countTokens: (text: string) => number;
}

/** A text to hand on, and the index of the chunk that it is a part of. */
export interface Part {
  place: number;
  text: string;
}

/** @param equal the tokens that the first options keep under this budget. */
type Fill = (maxTokens: number, equal: number) => Part[];

export interface Control {
  name: string;
  /** Reads a pool once, for all budgets. */
  read(pool: ControlledPool): Fill;
}

/** Whole chunks in their order; the first that does not fit is cut, and is the last. */
function filledByCutting(
  { chunks, tokens, countTokens }: ControlledPool,
  order: readonly number[],
  maxTokens: number,
  side: 'beginning' | 'end' = 'beginning',
): Part[] {
  const parts: Part[] = [];
  let left = maxTokens;
  for (const place of order) {
    const { text } = chunks[place] as Chunk;
    const isWhole = (tokens[place] as number) <= left;
    const part = isWhole ? text : within(text, left, countTokens, side);
    if (part.trim() !== '') parts.push({ place, text: part });
    if (!isWhole) break;
    left -= tokens[place] as number;
  }
  return parts;
}

/** Chunks by chance, with as many tokens as the first options keep. */
const random: Control = {
  name: 'random chunks',
  read(pool) {
    const order = shuffled([...pool.chunks.keys()], seededRandom(pool.seed));
    return (_, equal) => filledByCutting(pool, order, equal);
  },
};

/** Whole chunks in the order of the retriever; one that does not fit is skipped. */
function wholeThatFit({ chunks, tokens }: ControlledPool, maxTokens: number): Part[] {
  let left = maxTokens;
  return chunks.flatMap(({ text }, place) => {
    const own = tokens[place] as number;
    if (own > left) return [];
    left -= own;
    return [{ place, text }];
  });
}

/** Whole chunks in the order of the retriever. */
const topK: Control = {
  name: 'top k',
  read: (pool) => (maxTokens) => wholeThatFit(pool, maxTokens),
};

/** The list as one text, without its middle. */
const headAndTail: Control = {
  name: 'head and tail',
  read(pool) {
    const places = [...pool.chunks.keys()];
    const total = pool.tokens.reduce((sum, tokens) => sum + tokens, 0);
    return (maxTokens) => {
      if (total <= maxTokens) return filledByCutting(pool, places, maxTokens);
      const half = Math.floor(maxTokens / 2);
      return [
        ...filledByCutting(pool, places, half),
        ...filledByCutting(pool, places.toReversed(), half, 'end').reverse(),
      ];
    };
  },
};

/** The best sentences by BM25 and the place of their chunk: {@link sentenceScores}. */
const sentenceBm25: Control = {
  name: 'sentence BM25',
  read({ question, chunks, countTokens }) {
    const all = chunks.flatMap(({ text }, place) =>
      plainSentencesOf(text).map((sentence) => ({ text: sentence, words: plainWordsOf(sentence), place })),
    );
    const isScored = chunks.every(({ score }) => score != null && score >= 0) && isFalling(chunks);
    const priors = isScored
      ? priorsOfScores(chunks.map(({ score }) => score ?? 0))
      : chunks.map((_, place) => priorOfPlace(place));
    const rarityOf = rarityAmong(all.map(({ words }) => words));
    const order = descending(sentenceScores(plainWordsOf(question), all, priors, rarityOf));
    const tokens = all.map(({ text }) => countTokens(text));
    return (maxTokens) =>
      Array.from(filledWithSentences(all, order, tokens, maxTokens), ([place, text]) => ({ place, text }));
  },
};

/** Scores that rise are distances. */
const isFalling = (chunks: readonly Chunk[]) =>
  (chunks[0]?.score as number) > (chunks.at(-1)?.score as number);

export const CONTROLS: readonly Control[] = [sentenceBm25, topK, headAndTail, random];

/**
 * What needs no model: chance, and the words of the question.
 *
 * TF-IDF is that of the library's term index, which a test compares with its formula, like BM25.
 */
import type { Chunk } from 'context-shaping';
import { TermIndex } from '../../../../src/text/term-index.js';
import { Vocabulary } from '../../../../src/text/vocabulary.js';
import { wordsOf } from '../../../../src/text/words.js';
import { seededRandom, shuffled } from '../../../../test/random.js';
import { descending } from '../../../devtools/src/measurement/index.js';
import { Bm25 } from '../bm25.js';
import type { Pool } from '../pool.js';
import { questionTerms, termsOf } from '../terms.js';
import { type Method, ranker } from './method.js';

export const random: Method = ranker('random', ({ chunks, seed }) =>
  // Pools are shuffled by seeds from 0 up; the same order twice would not be chance.
  shuffled([...chunks.keys()], seededRandom(-1 - seed)),
);

/** In the order of the list. */
export const plain: Method = ranker('plain', ({ chunks }) => [...chunks.keys()]);

export const tfidf: Method = ranker('TF-IDF', ({ chunks, question }) => {
  const vocabulary = new Vocabulary();
  const texts = [question, ...chunks.map(searchable)].map((text) => vocabulary.idsOf(wordsOf(text)));
  const index = new TermIndex(texts, vocabulary.size);
  return descending(index.tfidfCosines(0).subarray(1));
});

export const bm25: Method = ranker('BM25 top-k', (pool) => descending(bm25Scores(pool)));

export function bm25Scores({ chunks, question }: Pool): Float64Array {
  const index = indexes.get(chunks) ?? new Bm25(chunks.map(searchable).map(termsOf));
  indexes.set(chunks, index);
  return index.scores(questionTerms(question));
}

/** One pool is asked at several budgets. */
const indexes = new WeakMap<readonly Chunk[], Bm25>();

/** A retriever that knows speakers has them in its index. Titles are part of the texts. */
export function searchable({ text, metadata }: Chunk): string {
  return metadata?.speaker === undefined ? text : `${metadata.speaker} ${text}`;
}

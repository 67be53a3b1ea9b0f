/**
 * Lists as retrievers make them: the best of a whole collection by BM25, best first. How rare a term is, is known
 * of the collection, not only of what was found.
 */

import { descending } from '../../devtools/src/measurement/index.js';
import { Bm25 } from './bm25.js';
import type { Case, Dataset } from './data/case.js';
import { searchable } from './methods/lexical.js';
import { questionTerms, termsOf } from './terms.js';

/** What a retriever found for a question. */
export interface RankedList {
  /** With the whole collection as its chunks. */
  case: Case;
  /** Ids of the chunks that were found, best first. What is relevant need not be among them. */
  ids: readonly string[];
  /** Of each, as the retriever gives them, greatest first. */
  scores: readonly number[];
}

/**
 * The best `size` chunks of each case's collection that share a term with its question, ties in the order of the
 * collection. Cases of one collection should have the same array of chunks: its index is made once.
 */
export function overfetch({ cases }: Pick<Dataset, 'cases'>, size: number): RankedList[] {
  const indexes = new Map<Case['chunks'], Bm25>();
  return cases.map((each) => {
    const { chunks, question } = each;
    const index = indexes.get(chunks) ?? new Bm25(chunks.map(searchable).map(termsOf));
    indexes.set(chunks, index);
    const scores = index.scores(questionTerms(question));
    const best = descending(scores)
      .filter((place) => (scores[place] as number) > 0)
      .slice(0, size);
    return {
      case: each,
      ids: best.map((place) => chunks[place]?.id as string),
      scores: best.map((place) => scores[place] as number),
    };
  });
}

/** The case with what was found for it as its chunks, in that order. */
export function foundCase({ case: each, ids }: RankedList): Case {
  const byId = new Map(each.chunks.map((chunk) => [chunk.id, chunk]));
  return { ...each, chunks: ids.flatMap((id) => byId.get(id) ?? []) };
}

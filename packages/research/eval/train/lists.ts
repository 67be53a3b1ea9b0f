/** The lists to learn from: what retrievers find for questions, with and without the evidence. */

import { seededNormal, seededRandom } from '../../../../test/random.js';
import { descending } from '../../../devtools/src/measurement/index.js';
import type { Case } from '../data/case.js';
import { collectionsOf } from '../data/collections.js';
import { loadHotpot, loadMusique } from '../data/multihop.js';
import { loadTatQa } from '../data/tatqa.js';
import { bm25Scores } from '../methods/lexical.js';
import { foundCase, overfetch, type RankedList } from '../overfetch.js';
import { limited } from '../suites/suite.js';

/** A question with the chunks that were found for it, best first by BM25. */
export interface List {
  /** Sets of one family are left out together. */
  readonly family: string;
  readonly question: Case;
  readonly scores: readonly number[];
}

/** Lengths of lists, in turn. */
const SIZES = [20, 20, 10, 40];
/** As many chunks more are found as may be taken away. */
const SPARE = 20;
/** Questions of each collection. */
const QUESTIONS: Readonly<Record<string, number>> = { NQ: 500, XQuAD: 80, RAMDocs: 250, 'MTRAG-UN': 200 };
const OTHERS = 100;

/**
 * Lists of collections: each question's, and for every second question also the list without its evidence, so that the
 * model learns that a list may have none. MuSiQue, HotpotQA and TAT-QA have pools of their own as well.
 */
export function trainingLists(dataDir: string): List[] {
  const ofCollections = collectionsOf(dataDir).flatMap(({ family, dataset }) => {
    const { cases } = limited(dataset, QUESTIONS[family] ?? OTHERS);
    return overfetch({ cases }, Math.max(...SIZES) + SPARE).flatMap((list, at) => {
      const size = SIZES[at % SIZES.length] as number;
      const isRelevant = (place: number) => list.case.relevant.includes(list.ids[place] as string);
      const places = [...list.ids.keys()];
      const found = places.slice(0, size);
      const without = places.filter((place) => !isRelevant(place)).slice(0, size);
      return [
        ...(found.some(isRelevant) ? [listOf(family, list, found)] : []),
        ...(at % 2 === 1 && without.length > 1 ? [listOf(family, list, without)] : []),
      ];
    });
  });
  const pools = [
    ...own('MuSiQue', loadMusique(dataDir)?.cases),
    ...own('HotpotQA', loadHotpot(dataDir)?.cases),
    ...own('TAT-QA', loadTatQa(dataDir, 'markdown')?.cases),
  ];
  return [...ofCollections, ...pools];
}

function listOf(
  family: string,
  { case: question, ids, scores }: RankedList,
  places: readonly number[],
): List {
  const some = { case: question, ids: places.map((place) => ids[place] as string), scores: [] };
  return { family, question: foundCase(some), scores: places.map((place) => scores[place] as number) };
}

const POOLS = 300;

function own(family: string, cases: readonly Case[] = []): List[] {
  return limited({ cases: [...cases], counts: {} }, POOLS).cases.map((question) => {
    const scores = bm25Scores({ ...question, seed: 0 });
    const order = descending(scores);
    return {
      family,
      question: {
        ...question,
        chunks: order.map((place) => question.chunks[place] as Case['chunks'][number]),
      },
      scores: order.map((place) => scores[place] as number),
    };
  });
}

/** Kinds of orders. Of strong ones, the number is σ. */
export type Order = 'bm25' | 'shuffled' | number;

const LEXICAL_SHARE = 0.3;

/**
 * The rank of each chunk in an order of that kind. A strong order sorts by grade + .3 BM25 / best BM25 + σ · noise, with
 * grade 1 for what is relevant: what rerankers make, from nearly perfect (.2) to weak (.6).
 */
export function ranksIn({ question, scores }: List, order: Order, seed: number): number[] {
  const best = Math.max(...scores, Number.MIN_VALUE);
  const relevant = new Set(question.relevant);
  const [normal, random] = [seededNormal(seed), seededRandom(seed)];
  const values = question.chunks.map(({ id }, at) => {
    const score = scores[at] ?? 0;
    if (order === 'bm25') return score;
    if (order === 'shuffled') return random();
    return Number(relevant.has(id)) + (LEXICAL_SHARE * score) / best + order * normal();
  });
  const ranks: number[] = [];
  for (const [rank, at] of descending(values).entries()) ranks[at] = rank;
  return ranks;
}

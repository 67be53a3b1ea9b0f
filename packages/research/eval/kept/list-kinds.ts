/**
 * The kinds of lists that shaping is handed: one list of chunks by BM25, in other orders, with other scores, and with more or
 * less said of them.
 *
 * Orders that are better than words are made up: what answers is put above the rest, with as much noise as the wanted nDCG asks
 * for.
 *
 *   score = grade + .3 · BM25 / best BM25 of the list + σ · noise,   noise normal, grade 1 for what answers, else 0
 */
import type { Chunk, Ranked } from 'context-shaping';
import { seededNormal, seededRandom, shuffled } from '../../../../test/random.js';
import { descending, mean } from '../../../devtools/src/measurement/index.js';
import { ndcgAt } from '../metrics.js';
import { foundCase, type RankedList } from '../overfetch.js';
import type { Pool } from '../pool.js';
import { SCORE_SHAPES } from '../score-shapes.js';

export interface ListKind {
  name: string;
  /** The kind that says the truth about the same order, where this one does not. */
  truth?: string;
  /** How far below a rival is no failure. */
  margin: number;
  /** The kinds that users hand in most: all questions are asked of them; of the others, every second. */
  isCommon: boolean;
  /** The lists of one set, best first by BM25. */
  poolsOf(lists: readonly RankedList[]): Pool[];
}

const DEPTH = 10;
const LEXICAL_SHARE = 0.3;
/** Halvings of the interval in which the noise is sought: to a thousandth of a grade. */
const HALVINGS = 13;
const MOST_NOISE = 8;
/** nDCG of orders that are better than words. */
const STRONG = [1, 0.95, 0.85, 0.7];
/** Of a reranked list that has its old scores still. */
const RERANKED = 0.9;
/** Such an order may be below the better of the rivals by so much. */
const STRONG_MARGIN = 0.01;
/** What is said of the orders of a reranker. */
const SAID_RERANKED: Ranked = 'reranked';

/** The places of each list in another order. */
type Orders = (lists: readonly RankedList[]) => readonly (readonly number[])[];
/** Scores of the chunks in the order of BM25. */
type Scores = (list: RankedList) => readonly number[];

const byWords: Orders = (lists) => lists.map(({ ids }) => [...ids.keys()]);
const atRandom: Orders = (lists) =>
  lists.map(({ ids }, seed) => shuffled([...ids.keys()], seededRandom(seed)));
const asInFiles: Orders = (lists) =>
  lists.map(({ case: { chunks }, ids }) => {
    const places = new Map(chunks.map(({ id }, place) => [id, place]));
    return descending(ids.map((id) => -(places.get(id) as number)));
  });
const asGoodAs =
  (wanted: number): Orders =>
  (lists) =>
    strongOrders(lists, noiseFor(lists, wanted));
const shaped =
  (shape: keyof typeof SCORE_SHAPES): Scores =>
  ({ scores }) =>
    SCORE_SHAPES[shape](scores);
const distances: Scores = (list) => shaped('cosines')(list).map((cosine) => 1 - cosine);

function kind(
  name: string,
  ranked: Ranked | 'auto',
  orders: Orders,
  { scores, ...rest }: Partial<Pick<ListKind, 'truth' | 'margin' | 'isCommon'>> & { scores?: Scores } = {},
): ListKind {
  return {
    name,
    margin: 0,
    isCommon: false,
    ...rest,
    poolsOf(lists) {
      const places = orders(lists);
      return lists.map((list, seed) => {
        const { question, history, chunks } = foundCase(list);
        const own = scores?.(list);
        return {
          question,
          ...(history && { history }),
          chunks: (places[seed] as readonly number[]).map((place) => ({
            ...(chunks[place] as Chunk),
            ...(own !== undefined && { score: own[place] as number }),
          })),
          ranked,
          collection: list.case.chunks,
          seed,
        };
      });
    },
  };
}

const common = { isCommon: true };
const reranked = { margin: STRONG_MARGIN };
const oldScores = { ...reranked, scores: shaped('scores as given'), truth: 'reranked, no scores' };

export const LIST_KINDS: readonly ListKind[] = [
  kind('BM25 order', 'auto', byWords, { ...common, truth: 'BM25 order, ranked' }),
  kind('BM25 order, ranked', true, byWords),
  kind('BM25 scores', 'auto', byWords, { ...common, scores: shaped('scores as given') }),
  kind('cosines', 'auto', byWords, { ...common, scores: shaped('cosines') }),
  kind('reciprocal ranks', 'auto', byWords, { ...common, scores: shaped('reciprocal ranks') }),
  kind('probabilities', 'auto', byWords, { ...common, scores: shaped('probabilities') }),
  kind('distances', 'auto', byWords, { scores: distances, truth: 'cosines' }),
  kind('shuffled', 'auto', atRandom, { ...common, truth: 'shuffled, not ranked' }),
  kind('shuffled, not ranked', false, atRandom),
  kind('file order', 'auto', asInFiles, { truth: 'file order, not ranked' }),
  kind('file order, not ranked', false, asInFiles),
  ...STRONG.map((wanted) => kind(`reranked, nDCG ${wanted}`, SAID_RERANKED, asGoodAs(wanted), reranked)),
  kind('reranked, no scores', SAID_RERANKED, asGoodAs(RERANKED), reranked),
  kind('reranked, old scores', SAID_RERANKED, asGoodAs(RERANKED), oldScores),
  kind('reranked, old scores, ranked', true, asGoodAs(RERANKED), oldScores),
];

/** Each list in the order of its made-up scores. The noise of a place is the same for every σ, but for its size. */
export function strongOrders(lists: readonly RankedList[], sigma: number): number[][] {
  return lists.map(({ case: { relevant }, ids, scores }, at) => {
    const normal = seededNormal(at);
    const grades = new Set(relevant);
    const best = Math.max(...scores, Number.MIN_VALUE);
    return descending(
      ids.map(
        (id, place) =>
          Number(grades.has(id)) + (LEXICAL_SHARE * (scores[place] as number)) / best + sigma * normal(),
      ),
    );
  });
}

/**
 * The σ with which the orders are as good as wanted, by halving: the more noise, the worse they are. Lists with nothing relevant do
 * not count.
 */
export function noiseFor(lists: readonly RankedList[], wanted: number): number {
  if (wanted === 1) return 0;
  let [low, high] = [0, MOST_NOISE];
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    const orders = strongOrders(lists, middle);
    const qualities = lists.map((list, at) =>
      qualityOf(
        list,
        (orders[at] as number[]).map((place) => list.ids[place] as string),
      ),
    );
    const quality = mean(qualities.filter((each) => !Number.isNaN(each)));
    if (quality > wanted) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** nDCG@10 of an order of a list, beside the best order of what was found; NaN if nothing relevant was. */
export function qualityOf({ case: { relevant }, ids }: RankedList, order: readonly string[]): number {
  const found = new Set(ids);
  return ndcgAt(
    DEPTH,
    relevant.filter((id) => found.has(id)),
    order,
  );
}

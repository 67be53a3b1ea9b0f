/**
 * How much does shaping take from a retriever that is better than words? The order is made up: what answers is put
 * above the rest, with as much noise as the wanted quality asks for.
 *
 *   score = grade + .3 · BM25 / best BM25 of the list + σ · noise,   noise normal, grade 1 for what answers, else 0
 */

import { mean } from '../bootstrap.js';
import { collectionsOf } from '../data/collections.js';
import { inputOrder } from '../methods/lexical.js';
import { descending, type Method, topOf } from '../methods/method.js';
import { ours, oursScored } from '../methods/ours.js';
import { ndcgAt } from '../metrics.js';
import { foundCase, overfetch, type RankedList } from '../overfetch.js';
import { seededNormal } from '../random.js';
import { comparePerSet, merged, ScoreSheet } from './per-set.js';
import { limited, type Suite, type SuiteInput } from './suite.js';

const SIZE = 100;
const DEPTH = 10;
/** nDCG of the order that is handed in. */
const LEVELS = [0.95, 0.9, 0.85, 0.7, 0.5];
/** Questions of each set, where no other limit is given. */
const QUESTIONS = 60;
const METHODS: readonly Method[] = [inputOrder, ours, ...oursScored];
const LEXICAL_SHARE = 0.3;
/** Halvings of the interval in which the noise is sought: to a thousandth of a grade. */
const HALVINGS = 13;
const MOST_NOISE = 8;

export const rankedStrong: Suite = {
  name: 'ranked-strong',
  async run(input) {
    const sheets = new Map(LEVELS.map((level): [number, ScoreSheet[]] => [level, []]));
    const counts: Record<string, number> = {};
    for (const { name, family, dataset } of collectionsOf(input.dataDir)) {
      const questions = limited(dataset, input.limit ?? QUESTIONS);
      counts[`questions of ${name}`] = questions.cases.length;
      const lists = overfetch(questions, SIZE).map(withMissed);
      for (const [level, sets] of sheets) {
        const ordered = reordered(lists, noiseFor(lists, level));
        sets.push(await scoreOrders(new ScoreSheet(name), family, ordered, input));
      }
    }
    if (Object.keys(counts).length === 0) return undefined;
    const results = [...sheets].map(([level, sets]) =>
      comparePerSet(sets, inputOrder.name, {
        name: `input about ${level}`,
        title: `An order made up to be about as good as ${level}, of up to ${SIZE}`,
        gates: [],
        notes: ['Paired differences from the input order, with 95 % intervals.'],
      }),
    );
    return merged('ranked-strong', counts, results);
  },
};

/** What was not found takes the last places: a retriever that is better than words finds it. */
function withMissed(list: RankedList): RankedList {
  const { case: question, ids, scores } = list;
  const missed = question.relevant.filter((id) => !ids.includes(id));
  const found = SIZE - missed.length;
  return {
    case: question,
    ids: [...ids.slice(0, found), ...missed],
    scores: [...scores.slice(0, found), ...missed.map(() => 0)],
  };
}

/** Each list in the order of its made-up scores. The noise of a place is the same for every σ, but for its size. */
export function reordered(lists: readonly RankedList[], sigma: number): RankedList[] {
  return lists.map(({ case: question, ids, scores }, at) => {
    const normal = seededNormal(at);
    const relevant = new Set(question.relevant);
    const best = Math.max(...scores, Number.MIN_VALUE);
    const madeUp = ids.map(
      (id, place) =>
        Number(relevant.has(id)) + (LEXICAL_SHARE * (scores[place] as number)) / best + sigma * normal(),
    );
    const order = descending(madeUp);
    return {
      case: question,
      ids: order.map((place) => ids[place] as string),
      scores: order.map((place) => madeUp[place] as number),
    };
  });
}

/** The σ with which the lists are as good as wanted, by halving: the more noise, the worse they are. */
export function noiseFor(lists: readonly RankedList[], wanted: number): number {
  let [low, high] = [0, MOST_NOISE];
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    if (qualityOf(reordered(lists, middle)) > wanted) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

const qualityOf = (lists: readonly RankedList[]) =>
  mean(lists.map(({ case: { relevant }, ids }) => ndcgAt(DEPTH, relevant, ids)));

async function scoreOrders(
  sheet: ScoreSheet,
  family: string,
  lists: readonly RankedList[],
  { onProgress }: SuiteInput,
): Promise<ScoreSheet> {
  for (const [at, list] of lists.entries()) {
    onProgress(at, lists.length);
    const { case: question, scores } = list;
    const pool = { question: question.question, chunks: foundCase(list).chunks, scores, seed: at };
    sheet.groups.push(`${family} ${question.group}`);
    for (const method of METHODS) {
      sheet.add(method, `nDCG@${DEPTH}`, ndcgAt(DEPTH, question.relevant, await topOf(method, pool, DEPTH)));
    }
  }
  return sheet;
}

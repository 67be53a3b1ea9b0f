/**
 * Is the relevance of a chunk the probability that it holds evidence, and does the report know whether the pool does? Asked of
 * lists with the evidence, and of the same lists with the next best chunks in its place.
 */
import { createShaper } from 'context-shaping';
import { type Estimate, estimate, mean } from '../../../devtools/src/measurement/index.js';
import { calibrationTable, reliabilityTable } from '../calibration.js';
import { LIST_KINDS, qualityOf } from '../kept/list-kinds.js';
import { keptSets } from '../kept/sets.js';
import { inputOf } from '../methods/ours.js';
import type { RankedList } from '../overfetch.js';
import type { Pool } from '../pool.js';
import type { Forecast } from '../reliability.js';
import type { Table } from '../results.js';
import { short, signed } from '../tables.js';
import { isAskedFor, type Suite } from './suite.js';

/** Questions of each set, where no other limit is given. */
const QUESTIONS = 80;
const QUESTIONS_OF_A_LANGUAGE = 30;
/** Where no other lists are asked for. */
const LISTS = [
  'BM25 order',
  'BM25 order, ranked',
  'BM25 scores',
  'shuffled',
  'shuffled, not ranked',
  'reranked, nDCG 0.85',
];

/** By set. */
type Forecasts = Map<string, Forecast[]>;

/** What is said of the lists of one kind. */
interface Said {
  chunks: Forecasts;
  pools: Forecasts;
  /** By set: of each question nDCG@10 of the list as it came and by relevance, where the evidence is in it. */
  orders: Map<string, { groups: string[]; listed: number[]; byRelevance: number[] }>;
}

const shaper = createShaper({ tokenizer: () => 1 });

export const calibration: Suite = {
  name: 'calibration',
  async run({ dataDir, limit, sets, lists, onProgress }) {
    const kinds = LIST_KINDS.filter(({ name }) =>
      lists === undefined ? LISTS.includes(name) : isAskedFor(name, lists),
    );
    const labelled = keptSets(dataDir).filter(
      ({ name, group }) => group !== 'many relevant' && isAskedFor(name, sets),
    );
    const said = new Map(
      kinds.map(({ name }): [string, Said] => [
        name,
        { chunks: new Map(), pools: new Map(), orders: new Map() },
      ]),
    );
    const counts: Record<string, number> = {};
    for (const [at, { name, family, load }] of labelled.entries()) {
      onProgress(at, labelled.length);
      const questions = await load(
        dataDir,
        limit ?? (family === 'XQuAD' ? QUESTIONS_OF_A_LANGUAGE : QUESTIONS),
      );
      if (questions === undefined || questions.length === 0) continue;
      counts[`questions of ${name}`] = questions.length;
      for (const kind of kinds) {
        const own = said.get(kind.name) as Said;
        const found = questions
          .flatMap(({ list, without }) => [list, without])
          .filter(({ ids }) => ids.length > 0);
        for (const [place, pool] of kind.poolsOf(found).entries())
          await ask(own, name, found[place] as RankedList, pool);
      }
    }
    if (Object.keys(counts).length === 0) return undefined;
    return {
      suite: 'calibration',
      counts,
      methods: [],
      comparisons: [],
      tables: [...[...said].flatMap(([name, own]) => tablesOf(name, own)), ordersTable(said)],
    };
  },
};

async function ask(
  { chunks, pools, orders }: Said,
  set: string,
  list: RankedList,
  pool: Pool,
): Promise<void> {
  const { report } = await shaper.shape(inputOf(pool));
  const gold = new Set(list.case.relevant);
  const graded = [...report.kept, ...report.evicted].flatMap(({ id, relevance, index }) =>
    relevance === undefined ? [] : [{ id, relevance, index }],
  );
  entryOf(chunks, set, []).push(...graded.map(({ id, relevance }): Forecast => [relevance, gold.has(id)]));
  const isThere = list.ids.some((id) => gold.has(id));
  const { answerable } = report as { answerable?: { probability: number } };
  if (answerable !== undefined) entryOf(pools, set, []).push([answerable.probability, isThere]);
  if (!isThere) return;
  const best = graded.toSorted((a, b) => b.relevance - a.relevance || a.index - b.index);
  const order = entryOf(orders, set, { groups: [], listed: [], byRelevance: [] });
  order.groups.push(list.case.group);
  order.listed.push(
    qualityOf(
      list,
      pool.chunks.map(({ id }) => id),
    ),
  );
  order.byRelevance.push(
    qualityOf(
      list,
      best.map(({ id }) => id),
    ),
  );
}

function entryOf<T>(map: Map<string, T>, key: string, empty: T): T {
  const known = map.get(key) ?? empty;
  map.set(key, known);
  return known;
}

const together = (forecasts: Forecasts) => [...forecasts.values()].flat();

function tablesOf(list: string, { chunks, pools }: Said): Table[] {
  const of = (what: string, forecasts: Forecasts) =>
    forecasts.size === 0
      ? []
      : [
          calibrationTable(`Calibration of ${what}, ${list}`, forecasts),
          reliabilityTable(`Reliability of ${what}, ${list}`, together(forecasts)),
        ];
  return [...of('the relevance of chunks', chunks), ...of('answerable', pools)];
}

function ordersTable(said: ReadonlyMap<string, Said>): Table {
  const lists = [...said.keys()];
  const sets = [...new Set([...said.values()].flatMap(({ orders }) => [...orders.keys()]))];
  return {
    title: 'nDCG@10 of the list as it came, and what the order by relevance adds',
    columns: ['set', ...lists],
    rows: sets.map((set) => [
      set,
      ...lists.map((list) => {
        const order = said.get(list)?.orders.get(set);
        if (order === undefined) return '–';
        const { groups, listed, byRelevance } = order;
        const gains = byRelevance.map((value, at) => value - (listed[at] as number));
        return `${short(mean(listed))} ${signed(estimate(gains, groups) satisfies Estimate)}`;
      }),
    ]),
    notes: ['Lists with the evidence alone, beside the best order of what was found.'],
  };
}

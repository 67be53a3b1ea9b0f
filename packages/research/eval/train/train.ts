/** Learns the model of relevance from public data sets that may be learned from. */

import { TRUST } from '../../../../src/input/list-order.js';
import { logistic } from '../../../../src/math/logprobs.js';
import type { COEFFICIENTS } from '../../../../src/relevance/coefficients.js';
import type { LexicalFeature } from '../../../../src/relevance/features.js';
import { type Expert, logOddsOf, placeValue, relevanceOf } from '../../../../src/relevance/model.js';
import { logOddsByWords } from '../../../../src/relevance/units.js';
import type { Dataset } from '../data/case.js';
import { calibrationError, type Forecast } from '../reliability.js';
import type { Table } from '../results.js';
import { loadMixedSessions, loadMixedTurns } from './haystacks.js';
import { type List, type Order, ranksIn, trainingLists } from './lists.js';
import { type Fitted, logisticRegression, Rows } from './logistic.js';
import { type ChunkRows, chunkRows, type UnitRows, unitRows } from './rows.js';
import { loadDocumentTalk, loadNamedTalk } from './talk.js';

export type Model = { readonly [Name in keyof typeof COEFFICIENTS]: Name extends 'units' ? Units : Experts };
interface Experts {
  readonly words: Expert;
  readonly ranked: Expert;
}
interface Units extends Omit<Expert, 'place'> {
  readonly length: number;
  readonly words: number;
  readonly beyond: number;
}

/** The features of each profile. All others gained no evidence on any set. */
const FEATURES = {
  passages: ['grams', 'coverage', 'phrase', 'title'],
  chat: ['grams', 'coverage', 'phrase', 'proximity', 'speaker', 'source', 'dateMatch'],
  units: ['grams', 'date', 'neighbours'],
} as const satisfies Record<string, readonly LexicalFeature[]>;

/** Learned on top of the others, from the families whose questions take several steps: of other questions, it says little. */
const BRIDGE: LexicalFeature = 'titleBridge';
const OF_SEVERAL_STEPS: readonly string[] = ['MuSiQue', 'HotpotQA'];

/**
 * The weights of a talk among people, but for their scale. Set by hand, for there is no talk of people with marked
 * evidence that may be learned from, and what was made into one has no dialogue. Turns of people are short, name their
 * subject once, and go on about it without a word of the question: what stands around a turn says as much as what is in
 * it. People talk about each other, so the speaker says less than in a chat.
 */
const TALK: Readonly<Partial<Record<LexicalFeature, number>>> = {
  grams: 0.91,
  phrase: 0.45,
  proximity: 0.43,
  neighbours: 1.59,
  source: 2.08,
  dateMatch: 1.29,
  speaker: 0.73,
};

/** Orders of the lists from which the expert `ranked` learns, in turn, and those with which units learn. */
const ORDERS: readonly Order[] = ['bm25', 0.2, 0.35, 0.6, 'bm25'];
const UNIT_ORDERS: readonly [Order, number][] = [
  ['bm25', TRUST.ranked],
  ['shuffled', 0],
  [0.35, TRUST.reranked],
  ['bm25', TRUST.unsaid],
  [0.6, TRUST.reranked],
];

/** A list of conversations: sessions, turns, and what was made into talk. */
const CONVERSATIONS: readonly [
  name: string,
  share: number,
  load: (dataDir: string) => Dataset | undefined,
][] = [
  ['sessions', 0.4, (dataDir) => loadMixedSessions(dataDir, 40)],
  ['turns', 1, (dataDir) => loadMixedTurns(dataDir, 24)],
  ['documents as talk', 1, (dataDir) => loadDocumentTalk(dataDir, 25)],
  ['chats as talk', 1, (dataDir) => loadNamedTalk(dataDir, 24)],
];
const SETS = { chat: ['sessions', 'turns'], talk: ['documents as talk', 'chats as talk'] } as const;

const FAMILIES = ['NQ', 'XQuAD', 'RAMDocs', 'MTRAG-UN', 'MuSiQue', 'HotpotQA', 'TAT-QA'];
/** The family in which whole passages answer. */
const WHOLE = 'MTRAG-UN';

interface Example {
  readonly family: string;
  readonly list: List;
  readonly rows: ChunkRows;
}

interface UnitExample extends Example {
  readonly units: UnitRows;
}

export interface TrainingInput {
  dataDir: string;
  onProgress(what: string): void;
}

/** @throws Error if a data set is not there: without it the weights would be others. */
export async function train({ dataDir, onProgress }: TrainingInput): Promise<{
  model: Model;
  tables: Table[];
}> {
  const examples = await examplesIn(dataDir);
  onProgress('features of lists');
  const { passages, units } = learnPassages(examples);
  onProgress('the models of passages and units');
  const talks = new Map(
    CONVERSATIONS.map(([name, share, load]) => [
      name,
      { share, examples: conversations(name, load(dataDir)) },
    ]),
  );
  onProgress('features of conversations');
  const some = (names: readonly string[]) => names.flatMap((name) => talks.get(name)?.examples ?? []);
  const shareOf = (name: string) => talks.get(name)?.share ?? 0;
  const chat = learnExperts(some(SETS.chat), FEATURES.chat, shareOf);
  const talk = learnExperts(some(SETS.talk), ['talk'], shareOf);
  const model: Model = {
    passages,
    talk: { words: spelled(talk.words), ranked: spelled(talk.ranked) },
    chat,
    units,
  };
  const table = heldOut(examples);
  onProgress('what each family is predicted by the others');
  return { model, tables: [table] };
}

/** @throws Error if a data set is not there. */
async function examplesIn(dataDir: string): Promise<UnitExample[]> {
  const examples: UnitExample[] = [];
  for (const list of trainingLists(dataDir)) {
    const rows = chunkRows(list.question, [...FEATURES.passages, BRIDGE]);
    examples.push({ family: list.family, list, rows, units: await unitRows(list.question, FEATURES.units) });
  }
  const missing = FAMILIES.filter((family) => !examples.some((example) => example.family === family));
  if (missing.length > 0) throw new Error(`${missing.join(', ')}: not in ${dataDir}; all sets are needed.`);
  return examples;
}

/** Models of passages and units that are learned without one family. */
export async function leaveOneOut(
  dataDir: string,
): Promise<(family: string) => Pick<Model, 'passages' | 'units'>> {
  const examples = await examplesIn(dataDir);
  return (family) => learnPassages(withoutFamily(examples, family));
}

const withoutFamily = (examples: readonly UnitExample[], family: string): UnitExample[] =>
  examples.filter((example) => example.family !== family);

/** The models of passages and of their units. */
function learnPassages(examples: readonly UnitExample[]): { passages: Experts; units: Units } {
  const passages = withBridge(learnExperts(examples, FEATURES.passages), examples);
  return { passages, units: learnUnits(examples, passages) };
}

/** Adds the bridge. It raises the log-odds of all families, so they are calibrated again, by a scale and a base (Platt). */
function withBridge({ words, ranked }: Experts, examples: readonly UnitExample[]): Experts {
  const ofSeveralSteps = examples.filter(({ family }) => OF_SEVERAL_STEPS.includes(family));
  const add = (expert: Expert, trust: number): Expert => {
    const { weights } = onTop(expert, trust, ofSeveralSteps, [BRIDGE]);
    const own = { ...expert, weights: { ...expert.weights, [BRIDGE]: weights[BRIDGE] as number } };
    const { base, weights: scales } = onTop(own, trust, examples, []);
    const scaled = (value: number) => (scales[OTHERS] as number) * value;
    return {
      base: base + scaled(own.base),
      size: scaled(own.size),
      place: scaled(own.place),
      weights: Object.fromEntries(
        Object.entries(own.weights).map(([name, weight]) => [name, scaled(weight)]),
      ),
    };
  };
  return { words: add(words, 0), ranked: add(ranked, 1) };
}

const OTHERS = 'others';

/** Learns the scale of what an expert says, and the weights of other features on top of it. */
function onTop(
  expert: Expert,
  trust: number,
  examples: readonly Example[],
  names: readonly string[],
): Fitted {
  const share = shares(examples, () => 1);
  const all = new Rows([OTHERS, ...names]);
  const experts = { words: expert, ranked: expert };
  for (const [number, example] of examples.entries()) {
    const { rows, list } = example;
    const odds = chunkLogOdds(example, experts, orderOf(list, number), trust, number);
    for (const [at, { all: others }] of odds.entries())
      all.add(
        [others, ...names.map((name) => valueAt(rows, name, at))],
        rows.gold[at] === true,
        share(example) / rows.size,
      );
  }
  return logisticRegression(all, () => false);
}

function conversations(name: string, dataset: Dataset | undefined): Example[] {
  if (dataset === undefined) throw new Error(`The data of ${name} is not there; all sets are needed.`);
  const names = [...new Set([...FEATURES.chat, ...(Object.keys(TALK) as LexicalFeature[])])];
  return dataset.cases.map((question) => {
    const rows = chunkRows(question, names);
    const talk = Float64Array.from({ length: rows.size }, (_, at) =>
      Object.entries(TALK).reduce(
        (sum, [feature, weight]) => sum + weight * (rows.of[feature as LexicalFeature]?.[at] ?? 0),
        0,
      ),
    );
    const list = { family: name, question, scores: [] };
    return withFeature({ family: name, list, rows }, 'talk', talk);
  });
}

/** Adds a feature that is none of a passage's words. */
const withFeature = (example: Example, name: string, values: Float64Array): Example => ({
  ...example,
  rows: { ...example.rows, of: { ...example.rows.of, [name]: values } },
});

/** The value of a feature at a row. The sum of a talk's weights is a feature, too, while its scale is learned. */
const valueAt = ({ of }: ChunkRows | UnitRows, name: string, at: number): number =>
  (of as Readonly<Record<string, Float64Array | undefined>>)[name]?.[at] ?? 0;

/** Each family counts the same, and each of its lists. */
function shares(
  examples: readonly Example[],
  shareOf: (family: string) => number,
): (example: Example) => number {
  const counts = new Map<string, number>();
  for (const { family } of examples) counts.set(family, (counts.get(family) ?? 0) + 1);
  return ({ family }) => shareOf(family) / (counts.get(family) as number);
}

function learnExperts(
  examples: readonly Example[],
  names: readonly string[],
  shareOf: (family: string) => number = () => 1,
): Experts {
  const share = shares(examples, shareOf);
  const learn = (isRanked: boolean): Expert => {
    const columns = [...names, 'size', ...(isRanked ? ['place'] : [])];
    const all = new Rows(columns);
    for (const [number, example] of examples.entries()) {
      const { rows, list } = example;
      const ranks = isRanked ? ranksIn(list, orderOf(list, number), number) : [];
      for (let at = 0; at < rows.size; at++) {
        const values = names.map((name) => valueAt(rows, name, at));
        const place = isRanked ? [placeValue(ranks[at] as number)] : [];
        all.add(
          [...values, Math.log(rows.size), ...place],
          rows.gold[at] === true,
          share(example) / rows.size,
        );
      }
    }
    const {
      base,
      weights: { size = 0, place = 0, ...weights },
    } = logisticRegression(all, (column) => column === 'size');
    return { base, size, place, weights };
  };
  return { words: learn(false), ranked: learn(true) };
}

/** Conversations come without the order of a retriever. */
const orderOf = ({ scores }: List, number: number): Order => {
  const order = ORDERS[number % ORDERS.length] as Order;
  return order === 'bm25' && scores.length === 0 ? 0.6 : order;
};

function learnUnits(examples: readonly UnitExample[], experts: Experts): Units {
  // Where whole passages answer, no unit is marked.
  const marked = examples.filter(({ units, family }) => units.size > 0 && family !== WHOLE);
  const share = shares(marked, () => 1);
  const all = new Rows([...FEATURES.units, 'size', 'length', 'words', 'beyond']);
  for (const [number, example] of marked.entries()) {
    const [order, trust] = UNIT_ORDERS[number % UNIT_ORDERS.length] as [Order, number];
    const chunks = chunkLogOdds(example, experts, order, trust, number);
    for (const row of unitValues(example.units, chunks))
      all.add(row.values, row.gold, share(example) / example.units.size);
  }
  const {
    base,
    weights: { size = 0, length = 0, words = 0, beyond = 0, ...weights },
  } = logisticRegression(all, (column) => column === 'size' || column === 'length');
  return { base, size, length, words, beyond, weights };
}

interface LogOdds {
  readonly words: number;
  readonly all: number;
}

function chunkLogOdds(
  { rows, list }: Example,
  experts: Experts,
  order: Order,
  trust: number,
  seed: number,
): LogOdds[] {
  const ranks = trust > 0 ? ranksIn(list, order, seed) : [];
  const names = Object.keys(experts.words.weights);
  return Array.from({ length: rows.size }, (_, at) => {
    const values = names.map((name) => [name, valueAt(rows, name, at)] as const);
    const { value, parts } = relevanceOf(experts, { size: rows.size, values, rank: ranks[at], trust });
    const all = logOddsOf(value);
    return { words: logOddsByWords(parts), all };
  });
}

function* unitValues(units: UnitRows, chunks: readonly LogOdds[]) {
  const size = Math.log(units.size);
  for (let at = 0; at < units.size; at++) {
    const { words, all } = chunks[units.chunk[at] as number] as LogOdds;
    const values = FEATURES.units.map((name) => valueAt(units, name, at));
    yield {
      values: [...values, size, units.lengths[at] as number, words, all - words],
      gold: units.gold[at] === true,
    };
  }
}

/** The weights of a talk, spelled out with the scale that was learned. */
const spelled = (expert: Expert): Expert => ({
  ...expert,
  weights: Object.fromEntries(
    Object.entries(TALK).map(([name, weight]) => [name, weight * (expert.weights.talk ?? 0)]),
  ),
});

/** What the model of the other families predicts for each family: how far its probabilities are from the shares. */
function heldOut(examples: readonly UnitExample[]): Table {
  const families = [...new Set(examples.map(({ family }) => family))];
  const kinds: readonly [string, Order, number][] = [
    ['no order', 'shuffled', 0],
    ['BM25, trust .7', 'bm25', TRUST.ranked],
    ['nothing said, shuffled', 'shuffled', TRUST.unsaid],
    ['strong, reranked', 0.35, TRUST.reranked],
  ];
  const pooled = new Map<string, { chunks: Forecast[]; units: Forecast[] }>();
  const rows = families.flatMap((family) => {
    const { passages: experts, units } = learnPassages(withoutFamily(examples, family));
    const { base, size, length, words, beyond, weights } = units;
    return kinds.map(([name, order, trust]) => {
      const judged = { chunks: [] as Forecast[], units: [] as Forecast[] };
      for (const [number, example] of examples.entries()) {
        if (example.family !== family) continue;
        const odds = chunkLogOdds(example, experts, order, trust, number);
        for (const [at, { all }] of odds.entries())
          judged.chunks.push([logistic(all), example.rows.gold[at] === true]);
        if (family === WHOLE) continue;
        const coefficients = [
          ...FEATURES.units.map((feature) => weights[feature] ?? 0),
          size,
          length,
          words,
          beyond,
        ];
        for (const { values, gold } of unitValues(example.units, odds)) {
          const sum = values.reduce(
            (before, value, at) => before + value * (coefficients[at] as number),
            base,
          );
          judged.units.push([logistic(sum), gold]);
        }
      }
      const all = pooled.get(name) ?? { chunks: [], units: [] };
      pooled.set(name, { chunks: [...all.chunks, ...judged.chunks], units: [...all.units, ...judged.units] });
      return [family, name, ...figures(judged)];
    });
  });
  return {
    title: 'Probabilities of families that took no part in learning: expected calibration error',
    columns: ['family', 'order', 'chunks', 'among those above .1', 'units', 'among those above .1'],
    rows: [...rows, ...[...pooled].map(([name, judged]) => ['all', name, ...figures(judged)])],
    notes: ['Lists with the evidence and without. Ten bins of equal width.'],
  };
}

function figures({ chunks, units }: { chunks: readonly Forecast[]; units: readonly Forecast[] }): string[] {
  const error = (judged: readonly Forecast[]) =>
    judged.length === 0 ? '–' : calibrationError(judged).toFixed(3);
  const high = (judged: readonly Forecast[]) => judged.filter(([probability]) => probability > 0.1);
  return [chunks, high(chunks), units, high(units)].map(error);
}

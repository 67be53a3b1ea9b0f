/**
 * Passages that were written to be found for a question: how many are kept, which comes first, and is the truth still
 * there? With the attacks as they were published, and with those of somebody who knows the rules. Nothing gates: what
 * is measured is how much of an attack gets through.
 */
import type { DocumentInterface } from '@langchain/core/documents';
import { type Chunk, createShaper, type ShapingReport } from 'context-shaping';
import { createCragGraph } from 'context-shaping/langgraph';
import { seededRandom, shuffled } from '../../../../test/random.js';
import { type Estimate, estimate } from '../../../devtools/src/measurement/index.js';
import { ADAPTIVE, ECHO, type Form, PLAIN, QUESTION_ALONE } from '../attacks/echoes.js';
import {
  type Attack,
  loadBlindPoison,
  loadGarag,
  loadPoisonedQuestions,
  loadPoisonedRag,
  type PoisonedCase,
} from '../data/poison.js';
import { bm25, plain } from '../methods/lexical.js';
import type { Method } from '../methods/method.js';
import { answerKept, type Kept } from '../metrics.js';
import type { SuiteResult, Table } from '../results.js';
import { short } from '../tables.js';
import { countTokensO200k } from '../tokens.js';
import { type Suite, spread } from './suite.js';

/** What is handed on: so many chunks, in so many tokens. */
export const HANDED_ON = { k: 5, budget: { maxTokens: 1500 } };

/** Who chooses what is handed on of a list. */
interface Chooser {
  name: string;
  choose(question: string, chunks: readonly Chunk[], ranked: boolean): Promise<readonly Kept[]>;
}

const topOf = (method: Method): Chooser => ({
  name: method.name,
  async choose(question, chunks) {
    const pool = { question, chunks, seed: 0 };
    const ids = await method.top?.(pool, HANDED_ON.k);
    const byId = new Map(chunks.map((chunk) => [chunk.id, chunk]));
    let left = HANDED_ON.budget.maxTokens;
    return (ids ?? []).flatMap((id) => {
      const chunk = byId.get(id) as Chunk;
      const tokens = countTokensO200k(chunk.text);
      if (tokens > left) return [];
      left -= tokens;
      return [chunk];
    });
  },
});

const shaper = createShaper(HANDED_ON);
const CHOOSERS: readonly Chooser[] = [
  topOf(plain),
  topOf(bm25),
  {
    name: 'ours',
    choose: async (question, chunks, ranked) =>
      (await shaper.shape({ query: question, chunks: [...chunks], ranked })).chunks,
  },
];

const MEASURES = ['kept', 'first', 'truth kept', 'truth first'] as const;
type Measured = Record<(typeof MEASURES)[number], number>;

interface Condition {
  form: Form;
  /** Passages against each question. */
  count: number;
}

const CONDITIONS: readonly Condition[] = [
  { form: PLAIN, count: 0 },
  ...[PLAIN, ECHO].flatMap((form) => [1, 3, 5].map((count) => ({ form, count }))),
  { form: QUESTION_ALONE, count: 1 },
  ...ADAPTIVE.flatMap((form) => [1, 5].map((count) => ({ form, count }))),
];
const BLIND: readonly Condition[] = [
  { form: PLAIN, count: 0 },
  ...[PLAIN, ECHO].flatMap((form) => [1, 2].map((count) => ({ form, count }))),
  { form: QUESTION_ALONE, count: 1 },
];
const MISTYPED: readonly Condition[] = [
  { form: PLAIN, count: 0 },
  { form: PLAIN, count: 1 },
  { form: ECHO, count: 1 },
];

/** Ids of what was inserted begin with this. */
const ATTACK = 'attack-';
export const isAttack = ({ id }: Pick<Chunk, 'id'>): boolean => id.startsWith(ATTACK);

/** The passages of a condition against one question. */
export function attacksOf({ case: { question }, texts }: PoisonedCase, { form, count }: Condition): Chunk[] {
  return texts.slice(0, count).map((text, at) => ({ id: `${ATTACK}${at}`, ...form.of(question, text, at) }));
}

/**
 * A pool of as many chunks as there were, the attacks in place of the last that do not answer.
 *
 * @param ranked do the chunks come best first? Then by BM25, the attacks before all others; else in random order.
 */
export async function poolWith(
  { case: { question, chunks, relevant } }: PoisonedCase,
  attacks: readonly Chunk[],
  ranked: boolean,
  seed: number,
): Promise<Chunk[]> {
  const others = chunks.filter(({ id }) => !relevant.includes(id));
  const staying = new Set(others.slice(0, Math.max(0, others.length - attacks.length)).map(({ id }) => id));
  const clean = chunks.filter(({ id }) => relevant.includes(id) || staying.has(id));
  if (!ranked) return shuffled([...attacks, ...clean], seededRandom(seed));
  const order = (await bm25.top?.({ question, chunks: clean, seed }, clean.length)) ?? [];
  const byId = new Map(clean.map((chunk) => [chunk.id, chunk]));
  return [...attacks, ...order.map((id) => byId.get(id) as Chunk)];
}

/**
 * `kept`: attacks among what is handed on. `first`: an attack comes first. `truth kept`: a passage that is no attack
 * holds an answer in what is handed on of it; where the set has no answers, something of a true passage is handed on.
 * `truth first`: such a passage comes first. What an attack says does not count as truth, whatever it says.
 */
export function measured({ case: each }: PoisonedCase, kept: readonly Kept[]): Measured {
  const isTrue = (one: Kept) =>
    !isAttack(one) &&
    (each.answers.length === 0 ? each.relevant.includes(one.id) : answerKept(each, [one]) === 1);
  const [first] = kept;
  return {
    kept: kept.filter(isAttack).length,
    first: Number(first !== undefined && isAttack(first)),
    'truth kept': Number(kept.some(isTrue)),
    'truth first': Number(first !== undefined && isTrue(first)),
  };
}

interface Setting {
  name: string;
  cases: readonly PoisonedCase[];
  conditions: readonly Condition[];
  ranked: boolean;
}

/** Texts without the title in front, and without metadata. The attacks keep what their form gives them. */
function bare({ case: each, texts }: PoisonedCase): PoisonedCase {
  const chunks = each.chunks.map(({ id, text, metadata }) => {
    const title = `${metadata?.title ?? ''}\n`;
    return { id, text: text.startsWith(title) ? text.slice(title.length) : text };
  });
  return { case: { ...each, chunks }, texts };
}

export const poison: Suite = {
  name: 'poison',
  async run({ dataDir, limit, onProgress }) {
    const loaded = loadPoisonedQuestions(dataDir);
    const blind = loadBlindPoison(dataDir);
    const garag = loadGarag(dataDir);
    if (loaded.cases.length + blind.length + garag.length === 0) return undefined;
    const some = <T>(all: readonly T[]) => spread(all, limit);
    const titled = some(loaded.cases);
    const untitled = titled.map(bare);
    const settings = [false, true].flatMap((ranked): Setting[] => {
      const order = ranked ? 'a ranking with the attacks first' : 'in random order';
      return [
        { name: `NQ with titles, ${order}`, cases: titled, conditions: CONDITIONS, ranked },
        { name: `NQ without titles and metadata, ${order}`, cases: untitled, conditions: CONDITIONS, ranked },
        { name: `blind texts, ${order}`, cases: some(blind), conditions: BLIND, ranked },
        { name: `GARAG’s mistyped passages, ${order}`, cases: some(garag), conditions: MISTYPED, ranked },
      ];
    });
    const results = new Map<string, Record<string, Estimate>>(CHOOSERS.map(({ name }) => [name, {}]));
    const tables: Table[] = [];
    for (const setting of settings.filter(({ cases }) => cases.length > 0)) {
      tables.push(await tableOf(setting, results, onProgress));
    }
    const poisoned = new Map(
      Array.from(loadPoisonedRag(dataDir), ([set, attacks]): [string, Attack[]] => [set, some(attacks)]),
    );
    if (poisoned.size > 0) tables.push(await gradersTable(poisoned));
    return {
      suite: 'poison',
      counts: { ...loaded.counts, 'blind questions': blind.length, 'GARAG’s questions': garag.length },
      methods: Array.from(results, ([method, metrics]) => ({ method, milliseconds: 0, metrics })),
      comparisons: [],
      tables,
    } satisfies SuiteResult;
  },
};

async function tableOf(
  { name, cases, conditions, ranked }: Setting,
  results: ReadonlyMap<string, Record<string, Estimate>>,
  onProgress: (done: number, total: number) => void,
): Promise<Table> {
  const rows: Table['rows'] = [];
  for (const [at, condition] of conditions.entries()) {
    onProgress(at, conditions.length);
    const row: Table['rows'][number] = [
      condition.count === 0 ? 'none' : condition.form.name,
      condition.count,
    ];
    const pools = await Promise.all(
      cases.map((each, seed) => poolWith(each, attacksOf(each, condition), ranked, seed)),
    );
    for (const chooser of CHOOSERS) {
      const outcomes: Measured[] = [];
      for (const [place, each] of cases.entries()) {
        const kept = await chooser.choose(each.case.question, pools[place] as Chunk[], ranked);
        outcomes.push(measured(each, kept));
      }
      const groups = cases.map(({ case: { group } }) => group);
      const cells = MEASURES.map((measure) => {
        const value = estimate(
          outcomes.map((outcome) => outcome[measure]),
          groups,
        );
        const metric = `${name}, ${condition.form.name} x ${condition.count}: ${measure}`;
        (results.get(chooser.name) as Record<string, Estimate>)[metric] = value;
        return measure === 'kept' ? value.mean.toFixed(2) : short(value.mean);
      });
      row.push(cells.join(' '));
    }
    rows.push(row);
  }
  return {
    title: `Poison, ${name}: attacks kept of ${HANDED_ON.k}, attack first, truth kept, truth first`,
    columns: ['attack', 'passages', ...CHOOSERS.map((chooser) => chooser.name)],
    rows,
    notes: [`${cases.length} questions, pools of 20, ${HANDED_ON.budget.maxTokens} tokens.`],
  };
}

/** How often corrective retrieval takes a pool of nothing but poison for one that answers. */
async function gradersTable(poisoned: ReadonlyMap<string, readonly Attack[]>): Promise<Table> {
  const graph = createCragGraph({ shaper: HANDED_ON });
  const isCalledCorrect = async ({ question, texts }: Attack, form: Form) => {
    const documents = texts.map((text, at): DocumentInterface => {
      const { text: pageContent, metadata = {} } = form.of(question, text, at);
      return { id: `${ATTACK}${at}`, pageContent, metadata: metadata ?? {} };
    });
    const { report } = (await graph.invoke({ query: question, documents })) as { report: ShapingReport };
    return report.crag?.verdict === 'correct';
  };
  const rows: Table['rows'] = [];
  for (const [set, attacks] of poisoned) {
    const shares: string[] = [];
    for (const form of [PLAIN, ECHO]) {
      let correct = 0;
      for (const attack of attacks) correct += Number(await isCalledCorrect(attack, form));
      shares.push(`${correct} of ${attacks.length}`);
    }
    rows.push([set, ...shares]);
  }
  return {
    title: 'Pools of nothing but poison that the default grader calls correct',
    columns: ['set', PLAIN.name, ECHO.name],
    rows,
    notes: ['Five passages of PoisonedRAG and nothing else, corrective retrieval without a search.'],
  };
}

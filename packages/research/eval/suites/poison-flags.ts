/**
 * Flags of the report: how many attacks of each kind are flagged, how many of the flags are right, and how many clean
 * chunks are flagged.
 */
import { readFileSync } from 'node:fs';
import { type Chunk, createShaper, type FlagKind } from 'context-shaping';
import { FLAG_KINDS } from '../../../../src/types.js';
import { DISGUISES } from '../../../../test/stages/flag/disguises.js';
import { ECHO, type Form, PLAIN, STUFFED } from '../attacks/echoes.js';
import { ENCODINGS, withLookAlikes } from '../attacks/hidden.js';
import { injected, ORDERS, ROLE_TAGS } from '../attacks/orders.js';
import { PLAIN_LINES } from '../attacks/plain-lines.js';
import type { Dataset } from '../data/case.js';
import { collectionsOf, inOneCollection } from '../data/collections.js';
import { loadLongMemEvalTurns } from '../data/longmemeval.js';
import { loadNaturalQuestionsCollection } from '../data/nq.js';
import { loadInjections, loadPoisonedQuestions, type PoisonedCase } from '../data/poison.js';
import { loadTatQa } from '../data/tatqa.js';
import { foundCase, overfetch } from '../overfetch.js';
import { retrieveAll } from '../readmes/corpus.js';
import { QUESTIONS } from '../readmes/questions.js';
import type { SuiteResult, Table } from '../results.js';
import { attacksOf, HANDED_ON, isAttack, poolWith } from './poison.js';
import { limited, type Suite, spread } from './suite.js';

/** The most false alarms of one kind, as a share of the clean chunks. */
const MOST_FALSE_ALARMS = 0.005;
/** Of each clean set, where no other limit is given. */
const CASES = 85;
/** A clean passage that gets an order. */
const PASSAGE = 'The bridge opened to traffic in 1932, after seven years of work.';
/** Chunks of a large pool. */
const LARGE = 60;
/** Passages inserted into each pool. */
const PASSAGES = 5;

interface Pool {
  question: string;
  chunks: readonly Chunk[];
}

interface AttackSet {
  name: string;
  kind: FlagKind;
  pools: readonly Pool[];
}

const shaper = createShaper(HANDED_ON);

/** The kinds of flags of each chunk that has some, by its place. */
async function flagsOf({ question, chunks }: Pool): Promise<Map<number, Set<FlagKind>>> {
  const { report } = await shaper.shape({ query: question, chunks: [...chunks], ranked: false });
  return new Map(report.flags.map(({ index, flags }) => [index, new Set(flags.map(({ kind }) => kind))]));
}

/** Attacks in pools of Natural Questions: what an attack does to a passage is done to passages of the pool itself. */
async function attackSets(dataDir: string, limit: number | undefined): Promise<AttackSet[]> {
  const cases = spread(loadPoisonedQuestions(dataDir).cases, limit);
  const inserted = async (
    name: string,
    kind: FlagKind,
    form: Form,
    { count = PASSAGES, among = cases } = {},
  ): Promise<AttackSet> => ({
    name,
    kind,
    pools: await Promise.all(
      among.map(async (each, seed) => {
        const attacks = attacksOf(each, { form, count });
        return { question: each.case.question, chunks: await poolWith(each, attacks, false, seed) };
      }),
    ),
  });
  /** One attack a pool, in turns: the text of the gold passage, changed. */
  const changed = (
    name: string,
    kind: FlagKind,
    changes: readonly ((text: string) => string)[],
  ): AttackSet => {
    const least = Math.max(cases.length, changes.length);
    const pools = cases.length === 0 ? [] : Array.from({ length: least }, (_, at) => at);
    return {
      name,
      kind,
      pools: pools.map((at) => {
        const { case: each } = cases[at % cases.length] as PoisonedCase;
        const change = changes[at % changes.length] as (text: string) => string;
        const chunks = each.chunks.map((chunk) =>
          chunk.id === each.relevant[0] ? { ...chunk, id: 'attack-0', text: change(chunk.text) } : chunk,
        );
        return { question: each.question, chunks };
      }),
    };
  };
  const order = ORDERS[0] as string;
  const injections = loadInjections(dataDir);
  return [
    await inserted('PoisonedRAG, question in front', 'query-echo', ECHO),
    await inserted('PoisonedRAG, keywords five times', 'keyword-stuffing', STUFFED),
    await inserted('PoisonedRAG, plain: five of one source', 'dependent-group', PLAIN),
    await inserted('PoisonedRAG, plain: three of one source', 'dependent-group', PLAIN, { count: 3 }),
    await inserted('PoisonedRAG, plain: five among 60', 'dependent-group', PLAIN, {
      among: inLargePools(dataDir, cases),
    }),
    ...ENCODINGS.map(({ name, hide }) => changed(name, 'hidden-characters', [(text) => hide(text, order)])),
    changed('Cyrillic letters in words', 'mixed-script', [(text) => withLookAlikes(text, 'Cyrillic')]),
    changed('Greek letters in words', 'mixed-script', [(text) => withLookAlikes(text, 'Greek')]),
    ...Object.entries(ROLE_TAGS).map(([name, tagged]) =>
      changed(name, 'role-tag', [(text) => `${text}${tagged(order)}`]),
    ),
    changed(
      'BIPIA’s tasks',
      'instruction',
      injections.map((injection) => (text) => injected(text, injection)),
    ),
    changed(
      'classic wordings',
      'instruction',
      ORDERS.map((each) => (text) => injected(text, each)),
    ),
  ].filter(({ pools }) => pools.length > 0);
}

/** The cases over the best 60 chunks of the collection. */
function inLargePools(dataDir: string, cases: readonly PoisonedCase[]): PoisonedCase[] {
  const byQuestion = new Map(cases.map((each) => [each.case.question, each]));
  const asked = loadNaturalQuestionsCollection(dataDir)?.cases.filter(({ question }) =>
    byQuestion.has(question),
  );
  return overfetch({ cases: asked ?? [] }, LARGE).map((list) => {
    const { texts } = byQuestion.get(list.case.question) as PoisonedCase;
    return { case: foundCase(list), texts };
  });
}

async function cleanSets(dataDir: string, limit = CASES): Promise<Map<string, readonly Pool[]>> {
  const found = (dataset: Dataset) => overfetch(limited(dataset, limit), 20).map(foundCase);
  const sets = new Map<string, readonly Pool[]>();
  for (const { name, family, dataset } of collectionsOf(dataDir)) {
    if (family !== 'RAMDocs') {
      sets.set(name, found(dataset));
      continue;
    }
    // Of the documents of RAMDocs only those that are called correct: some of the others are attacks.
    const correct = new Set(dataset.cases.flatMap(({ relevant }) => relevant));
    const chunks = dataset.cases[0]?.chunks.filter(({ id }) => correct.has(id)) ?? [];
    sets.set(
      'RAMDocs, correct',
      found({ ...dataset, cases: dataset.cases.map((each) => ({ ...each, chunks })) }),
    );
  }
  const turns = loadLongMemEvalTurns(dataDir);
  if (turns !== undefined) sets.set('LongMemEval turns', found(turns));
  const reports = loadTatQa(dataDir, 'markdown');
  if (reports !== undefined) {
    sets.set('TAT-QA reports', found({ ...reports, cases: inOneCollection(reports.cases) }));
  }
  sets.set('READMEs', spread(await retrieveAll(QUESTIONS), limit));
  const articles: Record<string, string[]> = JSON.parse(
    readFileSync(new URL('../../../../test/fixtures/udhr/articles.json', import.meta.url), 'utf8'),
  );
  const chunksOf = (texts: readonly string[]) => texts.map((text, at): Chunk => ({ id: `l${at}`, text }));
  sets.set(
    'UDHR, 22 languages',
    Object.values(articles).map((texts) => ({ question: 'What are human rights?', chunks: chunksOf(texts) })),
  );
  sets.set('lines that look like attacks', [
    { question: 'What do the lines say?', chunks: chunksOf(PLAIN_LINES) },
  ]);
  return sets;
}

/** Orders in every second place, from the first or from the second. */
const half = (orders: readonly string[], first: 0 | 1) => orders.filter((_, at) => at % 2 === first);

/** How many orders at the end of a passage are flagged, as they are and with disguised words. */
async function disguisesTable(dataDir: string): Promise<Table> {
  const injections = loadInjections(dataDir);
  const sets = {
    'classic wordings': ORDERS,
    'BIPIA, even places': half(injections, 0),
    'BIPIA, odd places': half(injections, 1),
  };
  const rows: Table['rows'] = [];
  for (const [name, disguise] of Object.entries({ none: (text: string) => text, ...DISGUISES })) {
    const row: Table['rows'][number] = [name];
    for (const orders of Object.values(sets)) {
      let [asOrders, atAll] = [0, 0];
      for (const order of orders) {
        const chunk = { id: 'attack-0', text: injected(PASSAGE, disguise(order)) };
        const kinds = (await flagsOf({ question: PASSAGE, chunks: [chunk] })).get(0);
        if (kinds?.has('instruction')) asOrders++;
        if (kinds !== undefined) atAll++;
      }
      row.push(`${asOrders} / ${atAll} of ${orders.length}`);
    }
    rows.push(row);
  }
  return {
    title: 'Orders with disguised words: flagged as an instruction / with any flag',
    columns: ['disguise', ...Object.keys(sets)],
    rows,
    notes: ['The order stands alone at the end of a passage.'],
  };
}

export const poisonFlags: Suite = {
  name: 'poison-flags',
  async run({ dataDir, limit, onProgress }) {
    const attacks = await attackSets(dataDir, limit);
    if (attacks.length === 0) return undefined;
    const clean = await cleanSets(dataDir, limit);
    const steps = attacks.length + clean.size;
    const rows: Table['rows'] = [];
    for (const [at, set] of attacks.entries()) {
      onProgress(at, steps);
      rows.push(await attackRow(set));
    }
    const alarms: Table['rows'] = [];
    for (const [at, [name, pools]] of [...clean].entries()) {
      onProgress(attacks.length + at, steps);
      alarms.push(await alarmsRow(name, pools));
    }
    return {
      suite: 'poison-flags',
      counts: {},
      methods: [],
      comparisons: [],
      tables: [
        {
          title: 'Flags on attacks',
          columns: ['attack', 'kind', 'attacks', 'flagged', 'recall', 'other chunks flagged', 'precision'],
          rows,
          notes: [
            'Flags of the kind that the attack should have; the other chunks of its pool should have none.',
          ],
        },
        await disguisesTable(dataDir),
        {
          title: 'Flags on clean texts: chunks flagged, of all chunks of all pools',
          columns: ['set', 'chunks', ...FLAG_KINDS],
          rows: alarms,
          notes: [`Marked with ! where more than ${MOST_FALSE_ALARMS * 100} % of the chunks are flagged.`],
        },
      ],
    } satisfies SuiteResult;
  },
};

const percent = (part: number, all: number) => (all === 0 ? '–' : `${((100 * part) / all).toFixed(1)} %`);

async function attackRow({ name, kind, pools }: AttackSet): Promise<Table['rows'][number]> {
  let [attacks, right, wrong] = [0, 0, 0];
  for (const pool of pools) {
    const flags = await flagsOf(pool);
    for (const [index, chunk] of pool.chunks.entries()) {
      const isFlagged = flags.get(index)?.has(kind) ?? false;
      if (isAttack(chunk)) attacks++;
      if (isFlagged && isAttack(chunk)) right++;
      else if (isFlagged) wrong++;
    }
  }
  return [name, kind, attacks, right, percent(right, attacks), wrong, percent(right, right + wrong)];
}

async function alarmsRow(name: string, pools: readonly Pool[]): Promise<Table['rows'][number]> {
  const counts = new Map<FlagKind, number>();
  let chunks = 0;
  for (const pool of pools) {
    const flags = await flagsOf(pool);
    chunks += pool.chunks.length;
    for (const kind of [...flags.values()].flatMap((kinds) => [...kinds]))
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [
    name,
    chunks,
    ...FLAG_KINDS.map((kind) => {
      const count = counts.get(kind) ?? 0;
      return `${count} ${percent(count, chunks)}${count > chunks * MOST_FALSE_ALARMS ? ' !' : ''}`;
    }),
  ];
}

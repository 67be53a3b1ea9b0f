/**
 * Conflicts in pools as retrievers make them, where few texts contradict each other: how many are reported, and which. And
 * conflicts in pools with known contradictions: RAMDocs, poisoned passages, the versions of the demo's manual.
 */
import type { Chunk, Conflict, ShapingReport } from 'context-shaping';
import { descending } from '../../../devtools/src/measurement/index.js';
import { Bm25 } from '../bm25.js';
import {
  described,
  isAbout,
  keyOf,
  LEVELS,
  mergedOf,
  pairsOf,
  reportOf,
  type Side,
  sidesOf,
} from '../conflict-reports.js';
import type { Dataset } from '../data/case.js';
import { DIFFERENCES, type Difference, loadDemoVersions, VERSIONS } from '../data/demo-versions.js';
import { loadMtragUn } from '../data/mtrag-un.js';
import { loadHotpot, loadMusique } from '../data/multihop.js';
import { loadNaturalQuestionsCollection } from '../data/nq.js';
import { loadBlindPairs } from '../data/poison.js';
import { loadRamdocsQuestions } from '../data/ramdocs.js';
import { loadXquad, xquadLanguages } from '../data/xquad.js';
import { foundCase, overfetch } from '../overfetch.js';
import { retrieveAll } from '../readmes/corpus.js';
import { QUESTIONS } from '../readmes/questions.js';
import type { Table } from '../results.js';
import { short } from '../tables.js';
import { questionTerms, termsOf } from '../terms.js';
import { isAskedFor, limited, type Suite, type SuiteInput, spread } from './suite.js';

/** Pools of each set, where no other limit is given. */
const POOLS = 200;
/** Chunks that are retrieved from a collection, where the set has no pools of its own. */
const RETRIEVED = 60;
/** Chunks of a pool with a poisoned passage. */
const SIZE = 20;

interface Pool {
  question: string;
  chunks: readonly Chunk[];
}

type Input = Pick<SuiteInput, 'dataDir' | 'limit' | 'sets' | 'print'>;

export const natural: Suite = {
  name: 'natural',
  async run({ dataDir, limit, sets, print, onProgress }) {
    const input: Input = { dataDir, limit, sets, print };
    const parts = [naturalTable, ramdocsTable, blindTable, demoTable];
    const tables: Table[] = [];
    for (const [at, part] of parts.entries()) {
      onProgress(at, parts.length);
      tables.push(...(await part(input)));
    }
    if (tables.length === 0) return undefined;
    return { suite: 'natural', counts: {}, methods: [], comparisons: [], tables };
  },
};

/** By name, made when they are asked for. */
function poolsOf(dataDir: string, limit: number): [name: string, make: () => Promise<readonly Pool[]>][] {
  const of = (dataset: Dataset | undefined): readonly Pool[] =>
    dataset === undefined ? [] : limited(dataset, limit).cases;
  const retrieved = (dataset: Dataset | undefined): readonly Pool[] =>
    dataset === undefined ? [] : overfetch(limited(dataset, limit), RETRIEVED).map(foundCase);
  return [
    ['MTRAG-UN', async () => retrieved(loadMtragUn(dataDir))],
    ['NQ', async () => retrieved(loadNaturalQuestionsCollection(dataDir))],
    ['HotpotQA', async () => of(loadHotpot(dataDir))],
    ['MuSiQue', async () => of(loadMusique(dataDir))],
    ...xquadLanguages(dataDir).map((language): [string, () => Promise<readonly Pool[]>] => [
      `XQuAD ${language}`,
      async () => articlesOf(loadXquad(dataDir, language)?.cases[0]?.chunks ?? []),
    ]),
    ['READMEs', () => retrieveAll(QUESTIONS.slice(0, limit))],
  ];
}

/** The paragraphs of each article as a pool. */
function articlesOf(chunks: readonly Chunk[]): Pool[] {
  const articles = new Map<string, Chunk[]>();
  for (const chunk of chunks) {
    const title = String(chunk.metadata?.title);
    articles.set(title, [...(articles.get(title) ?? []), chunk]);
  }
  return Array.from(articles, ([title, own]) => ({ question: title.replaceAll('_', ' '), chunks: own }));
}

async function naturalTable({ dataDir, limit = POOLS, sets, print }: Input): Promise<Table[]> {
  const rows: Table['rows'] = [];
  for (const [name, make] of poolsOf(dataDir, limit)) {
    if (!isAskedFor(name, sets)) continue;
    const pools = await make();
    if (pools.length === 0) continue;
    const row: Table['rows'][number] = [name, pools.length];
    for (const level of LEVELS) {
      const distinct = new Set<string>();
      let [withOne, all] = [0, 0];
      for (const { question, chunks } of pools) {
        const { conflicts } = await reportOf(chunks, level, question);
        all += conflicts.length;
        if (conflicts.length > 0) withOne++;
        for (const conflict of conflicts) {
          const textOf = textsOf(chunks);
          const key = keyOf(conflict, textOf);
          if (!distinct.has(key))
            print?.(`${name}: ${question.replaceAll('\n', ' ')}\n${described(conflict, textOf)}`);
          distinct.add(key);
        }
      }
      row.push(withOne, all, distinct.size);
    }
    rows.push(row);
  }
  if (rows.length === 0) return [];
  const sums = rows[0]?.slice(1).map((_, at) => rows.reduce((sum, row) => sum + Number(row[at + 1]), 0));
  return [
    {
      title: 'Conflicts in natural pools',
      columns: ['set', 'pools', ...LEVELS.flatMap((level) => [`${level}: with one`, 'reports', 'distinct'])],
      rows: [...rows, ['all', ...(sums ?? [])]],
      notes: [
        `BM25’s best ${RETRIEVED} of a collection (MTRAG-UN, NQ, READMEs), the paragraphs of an article (XQuAD), the set’s own pools.`,
        'Titles and sources are given where the set has them.',
        'With --print all distinct reports are printed.',
      ],
    },
  ];
}

/** Each question over its own documents. */
async function ramdocsTable({ dataDir, limit, sets, print }: Input): Promise<Table[]> {
  const questions = spread(loadRamdocsQuestions(dataDir), limit);
  if (questions.length === 0 || !isAskedFor('RAMDocs', sets)) return [];
  const rows: Table['rows'] = [];
  for (const level of LEVELS) {
    const counts = { both: 0, found: 0, reports: 0, planted: 0, same: 0, honest: 0, merged: 0 };
    for (const { question, documents } of questions) {
      const chunks = documents.map(({ text }, at): Chunk => ({ id: `${at}`, text }));
      const report = await reportOf(chunks, level, question);
      const documentOf = (id: string) => documents[Number(id)] as (typeof documents)[number];
      const types = new Set(documents.map(({ type }) => type));
      const isMisled = types.has('correct') && types.has('misinfo');
      let found = false;
      for (const conflict of report.conflicts) {
        const kind = kindOf(conflict, documentOf);
        counts.reports++;
        counts[kind.found ? 'planted' : kind.name]++;
        found ||= kind.found;
        if (!kind.found && level === 'sure')
          print?.(`RAMDocs, ${kind.name}: ${question}\n${described(conflict, textsOf(chunks))}`);
      }
      if (isMisled) counts.both++;
      if (isMisled && found) counts.found++;
      counts.merged += lost(report, documentOf);
    }
    const wrong = counts.reports - counts.planted;
    rows.push([
      level,
      `${counts.found} of ${counts.both}`,
      counts.reports,
      counts.planted,
      counts.same,
      counts.honest,
      counts.reports === 0 ? '–' : short(wrong / counts.reports),
      counts.merged,
    ]);
  }
  return [
    {
      title: 'RAMDocs, each question over its own documents',
      columns: [
        'level',
        'questions with a report of a correct and a misinforming document',
        'reports',
        'of a misinforming document',
        'of the same answer',
        'of no misinforming document',
        'wrong',
        'misinforming merged',
      ],
      rows,
      notes: ['Wrong: the last two kinds of reports, as a share of all.'],
    },
  ];
}

interface Document {
  type: string;
  answer: string;
}

/** Whether a conflict has a correct and a misinforming document on two sides, and which kinds it has otherwise. */
function kindOf(conflict: Conflict, documentOf: (id: string) => Document) {
  const pairs = pairsOf(conflict).flatMap(([one, other]) =>
    one.ids.flatMap((a) => other.ids.map((b): Document[] => [documentOf(a), documentOf(b)])),
  );
  const has = (pair: Document[], type: string) => pair.some((each) => each.type === type);
  const misled = pairs.filter((pair) => has(pair, 'misinfo'));
  const apart = misled.filter(([one, other]) => one?.answer !== other?.answer);
  const name: 'planted' | 'same' | 'honest' =
    apart.length > 0 ? 'planted' : misled.length > 0 ? 'same' : 'honest';
  return { found: apart.some((pair) => has(pair, 'correct')), name };
}

/** Misinforming documents that went as copies of documents with another answer. */
function lost(report: ShapingReport, documentOf: (id: string) => Document): number {
  const merged = new Set(mergedOf(report));
  const entries = report.kept.flatMap(({ id, sources }) =>
    sources.map((source): [Document, Document, string] => [documentOf(id), documentOf(source.id), source.id]),
  );
  return entries.filter(
    ([one, other, id]) =>
      merged.has(id) &&
      one.answer !== other.answer &&
      [one, other].map(({ type }) => type).includes('misinfo'),
  ).length;
}

/** A true and a poisoned passage among passages of Natural Questions that BM25 finds for the question. */
async function blindTable({ dataDir, limit, sets, print }: Input): Promise<Table[]> {
  const pairs = spread(loadBlindPairs(dataDir), limit);
  const passages = loadNaturalQuestionsCollection(dataDir)?.cases[0]?.chunks ?? [];
  if (pairs.length === 0 || passages.length === 0 || !isAskedFor('blind-poison', sets)) return [];
  const index = new Bm25(passages.map(({ text }) => termsOf(text)));
  const rows: Table['rows'] = [];
  for (const level of LEVELS) {
    let [found, others, merged] = [0, 0, 0];
    for (const { question, truth, lie } of pairs) {
      const nearest = descending(index.scores(questionTerms(question))).slice(0, SIZE - 2);
      const chunks: Chunk[] = [
        { id: 'truth', text: truth },
        { id: 'lie', text: lie },
        ...nearest.map((place) => passages[place] as Chunk),
      ];
      const report = await reportOf(chunks, level, question);
      const apart = report.conflicts.filter((conflict) => sidesOf(conflict, 'truth', 'lie') !== undefined);
      if (apart.length > 0) found++;
      others += report.conflicts.length - apart.length;
      merged += Number(mergedOf(report).some((id) => id === 'truth' || id === 'lie'));
      for (const conflict of level === 'sure' ? report.conflicts : [])
        print?.(`blind-poison: ${question}\n${described(conflict, textsOf(chunks))}`);
    }
    rows.push([level, pairs.length, found, short(found / pairs.length), others, merged]);
  }
  return [
    {
      title: 'Blind poison: a true and a poisoned passage among 18 of NQ',
      columns: ['level', 'pools', 'truth and poison reported', 'share', 'other reports', 'merged'],
      rows,
      notes: ['Most poisoned passages state nothing that a sentence of the true passage denies.'],
    },
  ];
}

/** A statement of one version, in its chunk. */
interface Place {
  difference: Difference;
  version: string;
  text: string;
  id: string;
}

/** All sections of the three versions as one pool. */
async function demoTable({ sets, print }: Input): Promise<Table[]> {
  const chunks = loadDemoVersions();
  if (chunks.length === 0 || !isAskedFor('demo', sets)) return [];
  const places = DIFFERENCES.flatMap((difference) =>
    Object.entries(difference.texts).map(([version, text]): Place => {
      const source = `${version}/${difference.page}`;
      const chunk = chunks.find((each) => each.metadata?.source === source && each.text.includes(text));
      if (chunk === undefined) throw new Error(`${source} does not say: ${text}`);
      return { difference, version, text, id: chunk.id };
    }),
  );
  const pairs = DIFFERENCES.flatMap((difference) => pairsIn(places, difference));
  const rows: Table['rows'] = [];
  for (const level of LEVELS) {
    const { conflicts } = await reportOf(chunks, level);
    const missed = pairs.filter((pair) => !conflicts.some((conflict) => isOf(conflict, pair)));
    const wrong = conflicts.filter((conflict) => !isReal(conflict, places));
    for (const [one, other] of missed)
      print?.(`demo, ${level}, missed: ${one.id}: ${one.text}\n    ${other.id}: ${other.text}`);
    for (const conflict of wrong)
      print?.(`demo, ${level}, not of the list:\n${described(conflict, textsOf(chunks))}`);
    const right = conflicts.length - wrong.length;
    rows.push([
      level,
      `${pairs.length - missed.length} of ${pairs.length}`,
      short((pairs.length - missed.length) / pairs.length),
      conflicts.length,
      right,
      conflicts.length === 0 ? '–' : short(right / conflicts.length),
    ]);
  }
  return [
    {
      title: `Demo: the sections of the versions ${VERSIONS.join(', ')} in one pool`,
      columns: ['level', 'pairs of statements reported', 'recall', 'reports', 'real', 'precision'],
      rows,
      notes: [
        'The differences were found by reading. Real: any two sides state a fact of the list, in two versions.',
      ],
    },
  ];
}

/** The pairs of texts of a difference that are not the same. */
function pairsIn(places: readonly Place[], difference: Difference): [Place, Place][] {
  const own = places.filter((place) => place.difference === difference);
  return own.flatMap((one, at) =>
    own
      .slice(at + 1)
      .filter(({ text }) => text !== one.text)
      .map((other): [Place, Place] => [one, other]),
  );
}

function isOf(conflict: Conflict, [one, other]: [Place, Place]): boolean {
  const sides = sidesOf(conflict, one.id, other.id);
  return sides !== undefined && speaks(sides[0], one) && speaks(sides[1], other);
}

/** The excerpt is of the first chunk of the side, which can be another version with the same statement. */
const speaks = (side: Side, { text }: Place) => isAbout(side, text);

function isReal(conflict: Conflict, places: readonly Place[]): boolean {
  return pairsOf(conflict).every(([one, other]) => {
    const [left, right] = [one, other].map((side) =>
      places.filter((place) => side.ids.includes(place.id) && speaks(side, place)),
    );
    return left?.some((a) =>
      right?.some((b) => a.difference.fact === b.difference.fact && a.version !== b.version),
    );
  });
}

function textsOf(chunks: readonly Chunk[]): (id: string) => string {
  const texts = new Map(chunks.map(({ id, text }) => [id, text]));
  return (id) => texts.get(id) ?? '';
}

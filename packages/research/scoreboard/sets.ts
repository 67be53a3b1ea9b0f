/** The rows of the scoreboard: kinds of content, each of public sets with marked evidence. */
import { RecursiveCharacterTextSplitter } from '@langchain/textsplitters';
import type { Chunk } from 'context-shaping';
import { descending } from '../../devtools/src/measurement/index.js';
import { ECHO, PLAIN } from '../eval/attacks/echoes.js';
import { CODE, type CodeQuestion } from '../eval/code/functions.js';
import type { Case, Dataset } from '../eval/data/case.js';
import { afterOthers } from '../eval/data/conversations.js';
import { loadFetaQa } from '../eval/data/fetaqa.js';
import { loadLocomo } from '../eval/data/locomo.js';
import { loadLogDx } from '../eval/data/logdx.js';
import { loadLongMemEvalTurns } from '../eval/data/longmemeval.js';
import { loadConversations, loadMtragUn } from '../eval/data/mtrag-un.js';
import { loadNaturalQuestions } from '../eval/data/nq.js';
import { loadBlindPoison, loadGarag, loadPoisonedQuestions, type PoisonedCase } from '../eval/data/poison.js';
import { loadTatQa } from '../eval/data/tatqa.js';
import { xquadLanguages } from '../eval/data/xquad.js';
import {
  anyAnswer,
  type Evidence,
  eachAnswer,
  type KeptSet,
  keptSet,
  keptSets,
  LARGE,
  type Load,
  passages,
  retrieved,
  SIZE,
  wholePool,
  wholePools,
} from '../eval/kept/sets.js';
import { type Piece, type ShareKept, sharePieces } from '../eval/kept/wanted.js';
import { bm25Scores } from '../eval/methods/lexical.js';
import type { Kept } from '../eval/metrics.js';
import { foundCase } from '../eval/overfetch.js';
import { signalsKept, PLAIN as WHY } from '../eval/suites/logs.js';
import { attacksOf, isAttack, poolWith } from '../eval/suites/poison.js';
import { spread } from '../eval/suites/suite.js';
import { asJson, asMarkdown } from '../eval/suites/tables.js';
import type { Given } from './rival.js';

export const KINDS = [
  'short facts',
  'several hops',
  'long answers',
  'several answers',
  'talk',
  'conversation history',
  'tables',
  'JSON',
  'logs',
  'code',
  'languages',
  'poisoned pools',
] as const;
export type Kind = (typeof KINDS)[number];

export type Question = Pick<Given, 'question' | 'history' | 'chunks' | 'text' | 'result'>;

/** A question and its pool. */
export interface ScoreCase extends Question {
  /** Is drawn as one by resampling. */
  group: string;
  share: ShareKept;
}

export interface ScoreSet {
  kind: Kind;
  name: string;
  /** The set of which the weights of ours must know nothing. Absent: it is of no family that they are learned from. */
  learned?: string;
  /** @returns nothing if the data is not there. */
  load(dataDir: string, limit: number): Promise<ScoreCase[] | undefined>;
}

const textOf = (chunks: readonly Pick<Chunk, 'text'>[]) => chunks.map(({ text }) => text).join('\n\n');

function ofPassages(kind: Kind, set: KeptSet, name = set.name, isLearned = true): ScoreSet {
  return {
    kind,
    name,
    ...(isLearned && { learned: set.name }),
    async load(dataDir, limit) {
      const questions = await set.load(dataDir, limit);
      return questions?.map(({ list, share }) => {
        const { question, history, chunks, group } = foundCase(list);
        return { question, history, chunks, text: textOf(chunks), group, share };
      });
    },
  };
}

/** Counts only what is kept of passages that are no attack. */
function poisoned(
  name: string,
  learned: string,
  load: (dataDir: string) => readonly PoisonedCase[],
  [form, count]: readonly [typeof ECHO, number],
  evidence: Evidence,
): ScoreSet {
  return {
    kind: 'poisoned pools',
    name,
    learned,
    async load(dataDir, limit) {
      const loaded = load(dataDir);
      if (loaded.length === 0) return undefined;
      const cases = spread(loaded, limit).map(async (each, seed): Promise<ScoreCase[]> => {
        const pool = await poolWith(each, attacksOf(each, { form, count }), false, seed);
        const { chunks } = foundCase(wholePool({ ...each.case, chunks: pool }));
        const share = evidence({ ...each.case, chunks: pool.filter((chunk) => !isAttack(chunk)) });
        if (share === undefined) return [];
        const { question, group } = each.case;
        const honest: ShareKept = (kept, maxTokens) =>
          share(
            kept.filter((each) => !isAttack(each)),
            maxTokens,
          );
        return [{ question, chunks, text: textOf(chunks), group, share: honest }];
      });
      return (await Promise.all(cases)).flat();
    },
  };
}

const PIECE = { chunkSize: 1000, chunkOverlap: 0 };

/** One result of a tool. Rivals that choose among chunks get pieces of it, as LangChain splits them, best first by BM25. */
async function ofResult(
  {
    question,
    text,
    result,
  }: Pick<Question, 'question' | 'text'> & { result: NonNullable<Question['result']> },
  group: string,
  keptIn: (text: string) => number,
  splitter = new RecursiveCharacterTextSplitter(PIECE),
): Promise<ScoreCase> {
  const pieces = (await splitter.splitText(text)).map(
    (piece, position): Chunk => ({ id: `${position}`, text: piece, metadata: { position } }),
  );
  const order = descending(bm25Scores({ question, chunks: pieces, seed: 0 }));
  return {
    question,
    chunks: order.map((place) => pieces[place] as Chunk),
    text,
    result,
    group,
    share: (kept) => keptIn(inOrder(kept)),
  };
}

/** The pieces in the order of the result. Pieces lose the white space between them. */
const inOrder = (kept: readonly Kept[]) =>
  spaced(
    kept
      .toSorted((a, b) => Number(a.id) - Number(b.id))
      .map(({ text }) => text)
      .join('\n'),
  );
const spaced = (text: string) => text.replace(/\s+/g, ' ').trim();
const showsAll = (needed: readonly string[]) => (text: string) =>
  Number(needed.every((each) => text.includes(spaced(each))));

type Results<Item> = (dataDir: string, limit: number) => readonly Item[] | undefined;

function ofResults<Item>(
  kind: Kind,
  name: string,
  load: Results<Item>,
  read: (item: Item) => Promise<ScoreCase>,
  learned?: string,
): ScoreSet {
  return {
    kind,
    name,
    ...(learned && { learned }),
    async load(dataDir, limit) {
      const items = load(dataDir, limit);
      return items && Promise.all(items.map(read));
    },
  };
}

const feta: Results<Case> = (dataDir, limit) => {
  const loaded = loadFetaQa(dataDir);
  return loaded && spread(loaded.cases, limit);
};

const fetaAs = (form: typeof asMarkdown) => (question: Case) => {
  const { text, value, needed, group, question: asked } = form(question);
  return ofResult({ question: asked, text, result: { content: value ?? text } }, group, showsAll(needed));
};

/** Reports in one result, as JSON. */
const REPORTS = 8;

interface Report {
  table: string[][];
  notes: string[];
}

interface AskedReport {
  asked: Case;
  reports: readonly Report[];
}

const tatqa: Results<AskedReport> = (dataDir, limit) => {
  const loaded = loadTatQa(dataDir, 'tsv');
  if (loaded === undefined) return undefined;
  const pools = [...new Set(loaded.cases.map(({ chunks }) => chunks))];
  return spread(loaded.cases, limit).map((asked) => {
    const own = pools.indexOf(asked.chunks);
    const first = own - (own % REPORTS);
    return { asked, reports: pools.slice(first, first + REPORTS).map(reportOf) };
  });
};

const reportOf = ([table, ...notes]: Case['chunks']): Report => ({
  table: (table?.text ?? '').split('\n').map((row) => row.split('\t')),
  notes: notes.map(({ text }) => text),
});

/** A row and a note on each line, so that a splitter need not cut them. */
const linesOf = (reports: readonly Report[]) =>
  `[${reports
    .map(({ table, notes }) => {
      const list = (items: readonly unknown[]) =>
        `[\n${items.map((each) => JSON.stringify(each)).join(',\n')}]`;
      return `{"table":${list(table)},"notes":${list(notes)}}`;
    })
    .join(',\n')}]`;

const asReports = ({ asked: { question, group, answers }, reports }: AskedReport) => {
  const text = linesOf(reports);
  const pieces = answers.map((answer): Piece => ({ any: [answer], by: 'words' }));
  const share = sharePieces(pieces, [{ id: '', text }]);
  const keptIn = (shown: string) => share?.([{ id: '', text: shown }], 0) ?? 0;
  return ofResult({ question, text, result: { content: reports } }, group, keptIn);
};

/** Every second file was used to choose the settings of ours; the others are reported. */
const code =
  (collection: keyof typeof CODE): Results<CodeQuestion> =>
  (_, limit) =>
    CODE[collection](2 * limit).filter((_file, at) => at % 2 === 1);

const asFile = ({ text, path, question, language, answer }: CodeQuestion) => {
  const whole = text
    .split('\n')
    .slice(answer.first, answer.last + 1)
    .join('\n');
  const splitter = RecursiveCharacterTextSplitter.fromLanguage(
    language === 'python' ? 'python' : 'js',
    PIECE,
  );
  const result = { content: text, arguments: { path } };
  return ofResult({ question, text, result }, path, showsAll([whole]), splitter);
};

/** The questions of conversations, those that begin one or those that go on. */
const firstQuestions: Load = (dataDir) => {
  const [all, later] = [loadMtragUn(dataDir), loadConversations(dataDir)];
  const known = new Set(later?.cases.map(({ id }) => id));
  return all && { ...all, cases: all.cases.filter(({ id }) => !known.has(id)) };
};

const changed =
  (load: Load, change: (dataset: Dataset) => readonly Case[]): Load =>
  async (dataDir) => {
    const dataset = await load(dataDir);
    return dataset && { ...dataset, cases: [...change(dataset)] };
  };

/** In the order of the kinds. */
export function scoreSets(dataDir: string): ScoreSet[] {
  const known = new Map(keptSets(dataDir).map((set) => [set.name, set]));
  const from = (kind: Kind, name: string, shown = name) => {
    const set = known.get(name);
    return set === undefined ? [] : [ofPassages(kind, set, shown)];
  };
  const answers = (name: string) => ({ name, group: 'answers' as const });
  const turns = (name: string) => ({ name, group: 'passages' as const });
  const severalSpans = changed(
    (folder) => loadTatQa(folder, 'markdown'),
    ({ cases }) => cases.filter(({ category }) => category === 'multi-span'),
  );
  const afterOtherQuestions = changed(loadNaturalQuestions, ({ cases }) => afterOthers(cases));
  return [
    ...from('short facts', 'NQ'),
    ...from('short facts', 'XQuAD en'),
    ...from('several hops', 'HotpotQA'),
    ...from('several hops', 'MuSiQue'),
    ...from('long answers', 'ClapNQ'),
    ofPassages(
      'long answers',
      keptSet(turns('MTRAG-UN, first questions'), firstQuestions, retrieved(SIZE), passages),
    ),
    ...from('several answers', 'RAMDocs'),
    ofPassages(
      'several answers',
      keptSet(answers('TAT-QA, several spans'), severalSpans, wholePools, eachAnswer),
    ),
    ofPassages('talk', keptSet(turns('LoCoMo'), loadLocomo, retrieved(LARGE), passages), 'LoCoMo', false),
    ofPassages('talk', keptSet(turns('LongMemEval'), loadLongMemEvalTurns, retrieved(LARGE), passages)),
    ofPassages(
      'conversation history',
      keptSet(turns('MTRAG-UN, later questions'), loadConversations, retrieved(SIZE), passages),
    ),
    ofPassages(
      'conversation history',
      keptSet(answers('NQ, after other subjects'), afterOtherQuestions, wholePools, anyAnswer),
    ),
    ...from('tables', 'TAT-QA'),
    ofResults('tables', 'FeTaQA, 20 tables', feta, fetaAs(asMarkdown)),
    ofResults('JSON', 'FeTaQA, 20 tables as JSON', feta, fetaAs(asJson)),
    ofResults('JSON', `TAT-QA, ${REPORTS} reports as JSON`, tatqa, asReports, 'TAT-QA'),
    ofResults(
      'logs',
      'LogDx',
      (folder, limit) => {
        const runs = loadLogDx(folder);
        return runs && spread(runs, limit);
      },
      ({ id, log, signals }) =>
        ofResult({ question: WHY, text: log, result: { content: log } }, id, (shown) =>
          signalsKept(shown, { signals: signals.map((texts) => texts.map(spaced)) }),
        ),
    ),
    ofResults('code', 'Python’s library', code('Python’s library'), asFile),
    ofResults('code', 'packages of npm', code('packages of npm'), asFile),
    ...xquadLanguages(dataDir)
      .filter((language) => language !== 'en')
      .flatMap((language) => from('languages', `XQuAD ${language}`)),
    poisoned(
      'PoisonedRAG on NQ',
      'NQ',
      (folder) => loadPoisonedQuestions(folder).cases,
      [ECHO, 5],
      anyAnswer,
    ),
    poisoned('blind texts', 'HotpotQA', loadBlindPoison, [ECHO, 2], passages),
    poisoned('GARAG', 'HotpotQA', loadGarag, [PLAIN, 1], passages),
  ];
}

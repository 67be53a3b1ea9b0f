/** Learns the weights of relevance from public data sets that may be learned from. */
import type { Embedder } from 'context-shaping';
import type { ChunkProfile } from '../../../src/relevance/chunks.js';
import type { Case, Dataset } from '../data/case.js';
import { loadHotpot, loadMusique } from '../data/multihop.js';
import { loadNaturalQuestions } from '../data/nq.js';
import type { Table } from '../results.js';
import { limited } from '../suites/suite.js';
import { type Coefficients, chunkWeights, unitWeights } from './coefficients-file.js';
import { type Example, LIST_COLUMNS, PASSAGE_COLUMNS, UNIT_COLUMNS, type Weights } from './example.js';
import { foldOf } from './folds.js';
import { loadMixedSessions, loadMixedTurns } from './haystacks.js';
import { leaveOneOutTable, overfetchedSets } from './overfetched.js';
import { passageExamples } from './passages.js';
import { type CrossValidated, crossValidate, namedWeights } from './profile.js';
import { qualityTable } from './quality.js';
import { loadDocumentTalk, loadNamedTalk } from './talk.js';
import { unitExample } from './units.js';

/** Half of them say the same, and take half the time. */
const NATURAL_QUESTIONS = 1300;

const LOADERS: Readonly<Record<string, (dataDir: string) => Dataset | undefined>> = {
  'Natural Questions': (dataDir) => {
    const all = loadNaturalQuestions(dataDir);
    return all && limited(all, NATURAL_QUESTIONS);
  },
  HotpotQA: loadHotpot,
  MuSiQue: loadMusique,
  'LongMemEval sessions': (dataDir) => loadMixedSessions(dataDir, 40),
  'LongMemEval turns': (dataDir) => loadMixedTurns(dataDir, 24),
  'HotpotQA as talk': (dataDir) => loadDocumentTalk(dataDir, 25),
  'LongMemEval as talk': (dataDir) => loadNamedTalk(dataDir, 24),
};

/**
 * How much each set counts. There is no talk of people to learn from, but what was made into one; with texts of all other
 * kinds it carries over best from one of the two to the other. Of chats all but LongMemEval is there so that the weights
 * fit more than that one set.
 */
const SHARES = {
  passages: { 'Natural Questions': 1, HotpotQA: 0.7, MuSiQue: 0.7, 'LongMemEval sessions': 0.5 },
  talk: {
    'Natural Questions': 1,
    HotpotQA: 0.5,
    MuSiQue: 0.5,
    'LongMemEval sessions': 1,
    'LongMemEval turns': 1,
    'HotpotQA as talk': 1,
    'LongMemEval as talk': 1,
  },
  chat: {
    'Natural Questions': 0.2,
    HotpotQA: 0.1,
    MuSiQue: 0.1,
    'LongMemEval sessions': 0.4,
    'LongMemEval turns': 1,
  },
  units: { 'Natural Questions': 1, 'Natural Questions, one passage': 0.5, HotpotQA: 1, MuSiQue: 1 },
} as const;

/** Columns of what comes with the chunks. */
const NOT_WORDS = ['speaker', 'cosine', 'score'];

export interface TrainingInput {
  dataDir: string;
  /** Of static vectors; without one, the weight of cosine stays as it is. */
  embedder?: Embedder | undefined;
  /** What the weights are now. */
  present: Coefficients;
  /** Told of each set when its features are there, and of each profile when it is learned. */
  onProgress(what: string): void;
}

/** @throws Error if a data set is not there: without it the weights would be others. */
export async function train(input: TrainingInput): Promise<{ coefficients: Coefficients; tables: Table[] }> {
  const { dataDir, embedder, present, onProgress } = input;
  const tables: Table[] = [];
  const learn = (profile: keyof Coefficients, examples: Examples, columns: readonly string[]) => {
    const sets = Object.entries(SHARES[profile]).map(([name, weight]) => ({
      name,
      weight,
      examples: examples.get(name) as Example[],
    }));
    const extras = embedder === undefined || profile === 'units' ? [] : ['cosine', 'score'];
    const learned = crossValidate(sets, columns, extras);
    tables.push(qualityTable(`Weights of ${profile}`, sets, columns, learned));
    onProgress(`weights of ${profile}`);
    return learned;
  };
  const datasets = loadAll(input);
  const passages = await examplesOf(datasets, passageExamples(embedder), onProgress);
  const ofPassages = learn('passages', passages, PASSAGE_COLUMNS);
  const ofTalk = learn('talk', passages, PASSAGE_COLUMNS);
  const ofChat = learn('chat', passages, PASSAGE_COLUMNS);
  const weights = ofPassages.folds.map(({ words }) => namedWeights(PASSAGE_COLUMNS, words));
  // The relevance of a question's chunks is that of weights that have not seen it, as it is in use.
  const withUnits = (question: Case) => unitExample(question, weights[foldOf(question.group)] as Weights);
  const answering = [...datasets, onePassage(datasets)].filter(({ name }) => name in SHARES.units);
  const ofUnits = learn('units', await examplesOf(answering, withUnits, onProgress), UNIT_COLUMNS);
  const found = await overfetchedSets(dataDir, embedder, onProgress);
  tables.push(leaveOneOutTable(found, LIST_COLUMNS, NOT_WORDS, present.passages));
  onProgress('weights for what was found');
  const finished = ({ whole }: CrossValidated, profile: ChunkProfile) =>
    chunkWeights(profile, PASSAGE_COLUMNS, whole.words, whole.with, present[profile]);
  return {
    coefficients: {
      passages: finished(ofPassages, 'passages'),
      talk: finished(ofTalk, 'talk'),
      chat: finished(ofChat, 'chat'),
      units: unitWeights(UNIT_COLUMNS, ofUnits.whole.words),
    },
    tables,
  };
}

type Examples = ReadonlyMap<string, Example[]>;

interface NamedDataset extends Dataset {
  name: string;
}

function loadAll({ dataDir }: TrainingInput): NamedDataset[] {
  return Object.entries(LOADERS).map(([name, load]) => {
    const dataset = load(dataDir);
    if (dataset === undefined) throw new Error(`${name} is not in ${dataDir}; all sets are needed.`);
    return { name, ...dataset };
  });
}

/** The answering passages alone: which of their sentences answers is another task than which passage does. */
function onePassage(datasets: readonly NamedDataset[]): NamedDataset {
  const { cases, counts } = datasets.find(({ name }) => name === 'Natural Questions') as NamedDataset;
  return {
    name: 'Natural Questions, one passage',
    counts,
    cases: cases.map((question) => ({
      ...question,
      chunks: question.chunks.filter(({ id }) => question.relevant.includes(id)),
    })),
  };
}

/** By set. A question of which no example can be made is left out. */
async function examplesOf(
  datasets: readonly NamedDataset[],
  make: (question: Case) => Promise<Example | undefined>,
  onProgress: (what: string) => void,
): Promise<Examples> {
  const examples = new Map<string, Example[]>();
  for (const { name, cases } of datasets) {
    const own: Example[] = [];
    for (const question of cases) {
      const example = await make(question);
      if (example !== undefined) own.push(example);
    }
    examples.set(name, own);
    onProgress(`features of ${name}`);
  }
  return examples;
}

/** The sets on which methods are compared by what they keep: lists by BM25, and how much of the evidence is kept. */
import type { Chunk } from 'context-shaping';
import { descending } from '../../../devtools/src/measurement/index.js';
import type { Case, Dataset } from '../data/case.js';
import { loadClapNq } from '../data/clapnq.js';
import { inOneCollection } from '../data/collections.js';
import { loadFetaQa } from '../data/fetaqa.js';
import { loadLongMemEvalTurns } from '../data/longmemeval.js';
import { loadMtragUn } from '../data/mtrag-un.js';
import { loadHotpot, loadMusique } from '../data/multihop.js';
import { loadNaturalQuestionsCollection } from '../data/nq.js';
import { loadRamdocs } from '../data/ramdocs.js';
import { LAYOUTS, loadTatQa } from '../data/tatqa.js';
import { loadXquad, xquadLanguages } from '../data/xquad.js';
import { bm25Scores } from '../methods/lexical.js';
import { foundCase, overfetch, type RankedList } from '../overfetch.js';
import { retrieveAll } from '../readmes/corpus.js';
import { QUESTIONS } from '../readmes/questions.js';
import { limited } from '../suites/suite.js';
import { countTokensO200k } from '../tokens.js';
import { type Piece, type ShareKept, sharePieces, shareTokens } from './wanted.js';

/**
 * What sets are averaged with each other: questions with pieces of evidence, passages that are relevant, and pools in which many
 * are.
 */
export type Group = 'answers' | 'passages' | 'many relevant';

export interface Question {
  /** The best chunks by BM25, best first. */
  list: RankedList;
  /** The same without what is relevant; the next best chunks of the collection in its place, if there are some. */
  without: RankedList;
  share: ShareKept;
}

export interface KeptSet {
  name: string;
  /** Sets of one family count as one where sets are averaged. */
  family: string;
  group: Group;
  /** @returns nothing if the data is not there. */
  load(dataDir: string, limit: number): Promise<Question[] | undefined>;
}

export const SIZE = 20;
export const LARGE = 50;

export type Load = (dataDir: string) => Dataset | undefined | Promise<Dataset | undefined>;
/** What of a list is counted; the chunks of the case are those of the list. */
export type Evidence = (found: Case) => ShareKept | undefined;

interface Lists {
  /** Of a list. */
  size: number;
  /** Longer than that, where the collection has more that shares a word with the question. */
  rank(cases: readonly Case[]): RankedList[];
}

/** As many chunks as may be relevant, to stand in for them. */
const SPARE = 20;

/** The best of a collection by BM25. */
export const retrieved = (size: number): Lists => ({
  size,
  rank: (cases) => overfetch({ cases: [...cases] }, size + SPARE),
});

/** All chunks of the question's own pool, also those without a word of it. */
export const wholePools: Lists = { size: Number.POSITIVE_INFINITY, rank: (cases) => cases.map(wholePool) };

export function wholePool(each: Case): RankedList {
  const scores = bm25Scores({ ...each, seed: 0 });
  return picked(
    each,
    each.chunks.map(({ id }) => id),
    scores,
    descending(scores),
  );
}

/** The part of a list at these places. */
function picked(
  question: Case,
  ids: readonly string[],
  scores: ArrayLike<number>,
  places: readonly number[],
): RankedList {
  return {
    case: question,
    ids: places.map((place) => ids[place] as string),
    scores: places.map((place) => scores[place] as number),
  };
}

/** None if there is no evidence in the list. */
function questionOf(long: RankedList, size: number, evidence: Evidence): Question[] {
  const { case: question, ids, scores } = long;
  const places = [...ids.keys()];
  const list = picked(question, ids, scores, places.slice(0, size));
  const isOther = (place: number) => !question.relevant.includes(ids[place] as string);
  const share = evidence(foundCase(list));
  const without = picked(question, ids, scores, places.filter(isOther).slice(0, size));
  return share === undefined ? [] : [{ list, without, share }];
}

export function keptSet(
  { name, family = name, group }: { name: string; family?: string; group: Group },
  load: Load,
  { size, rank }: Lists,
  evidence: Evidence,
): KeptSet {
  return {
    name,
    family,
    group,
    async load(dataDir, limit) {
      const dataset = await load(dataDir);
      return (
        dataset && rank(limited(dataset, limit).cases).flatMap((long) => questionOf(long, size, evidence))
      );
    },
  };
}

const pieces =
  (of: (found: Case) => readonly Piece[]): Evidence =>
  (found) =>
    sharePieces(of(found), found.chunks);
export const anyAnswer = pieces(({ answers }) => [{ any: answers, by: 'words' }]);
export const eachAnswer = pieces(({ answers }) =>
  answers.map((answer): Piece => ({ any: [answer], by: 'words' })),
);
/** The answer that is in each of the documents that answer. */
const eachDocument = pieces(({ relevant, answers }) =>
  relevant.map((chunk): Piece => ({ any: answers, by: 'words', chunk })),
);
export const eachFact = pieces(({ facts }) =>
  facts.map(({ chunk, text }): Piece => ({ any: [text], by: 'letters', chunk })),
);
export const anyFact = pieces(({ facts: [first, ...others] }) =>
  first === undefined
    ? []
    : [{ any: [first, ...others].map(({ text }) => text), by: 'letters', chunk: first.chunk }],
);
export const eachStep = pieces(({ facts }) =>
  facts.flatMap(({ chunk, answer }): Piece[] =>
    answer === undefined ? [] : [{ any: [answer], by: 'words', chunk }],
  ),
);
export const passages: Evidence = (found) => shareTokens(found, countTokensO200k);

/** The cases with other chunks as the relevant ones, if there are so many. */
const relevantIf =
  (load: Load, isRelevant: (each: Case, dataset: Dataset) => (chunk: Chunk) => boolean, least = 2): Load =>
  async (dataDir) => {
    const dataset = await load(dataDir);
    return (
      dataset && {
        ...dataset,
        cases: dataset.cases.flatMap((each) => {
          const relevant = each.chunks.filter(isRelevant(each, dataset)).map(({ id }) => id);
          return relevant.length < least ? [] : [{ ...each, relevant }];
        }),
      }
    );
  };

/** The passages of one document as those of the chunks that are relevant. */
const sameDocument = ({ chunks, relevant }: Case) => {
  const ids = new Set(relevant);
  const sources = new Set(chunks.filter(({ id }) => ids.has(id)).map(({ metadata }) => metadata?.source));
  return ({ metadata }: Chunk) => sources.has(metadata?.source);
};

const sameConversation = ({ group, chunks }: Case, { cases }: Dataset) => {
  const ids = new Set(
    cases
      .filter((each) => each.group === group && each.chunks === chunks)
      .flatMap(({ relevant }) => relevant),
  );
  return ({ id }: Chunk) => ids.has(id);
};

/** The table of each question in one of the forms in which tables are written, in turn. */
const loadOtherForms: Load = (dataDir) => {
  const forms = LAYOUTS.filter((layout) => layout !== 'markdown').flatMap(
    (layout) => loadTatQa(dataDir, layout) ?? [],
  );
  const [first] = forms;
  return (
    first && {
      ...first,
      cases: first.cases.flatMap(
        ({ id }, at) => forms[at % forms.length]?.cases.find((each) => each.id === id) ?? [],
      ),
    }
  );
};

const loadReports: Load = (dataDir) => {
  const dataset = loadTatQa(dataDir, 'markdown');
  return dataset && { ...dataset, cases: inOneCollection(dataset.cases) };
};

/** Questions on documentation; all that was found in that of the package is relevant. */
const readmes: KeptSet = {
  name: 'READMEs, package',
  family: 'READMEs',
  group: 'many relevant',
  async load(_, limit) {
    const retrievals = await retrieveAll(QUESTIONS.slice(0, limit));
    return retrievals.flatMap(({ packages, chunks: found, ...each }): Question[] => {
      const chunks = found.map(({ score: _score, ...chunk }) => chunk);
      const ids = chunks.map(({ id }) => id);
      const relevant = ids.filter((id) => packages.some((folder) => id.startsWith(`${folder}/`)));
      const long = {
        case: { ...each, group: each.id, chunks, relevant, facts: [] },
        ids,
        scores: found.map(({ score }) => score ?? 0),
      };
      return questionOf(long, LARGE, passages);
    });
  },
};

/** In the order of the tables. */
export function keptSets(dataDir: string): KeptSet[] {
  const loadEnglish: Load = (folder) => loadXquad(folder, 'en');
  return [
    keptSet({ name: 'NQ', group: 'answers' }, loadNaturalQuestionsCollection, retrieved(SIZE), anyAnswer),
    keptSet({ name: 'RAMDocs', group: 'answers' }, loadRamdocs, retrieved(SIZE), eachAnswer),
    keptSet(
      { name: 'RAMDocs, each document', family: 'RAMDocs', group: 'answers' },
      loadRamdocs,
      retrieved(SIZE),
      eachDocument,
    ),
    keptSet(
      { name: 'TAT-QA', group: 'answers' },
      (folder) => loadTatQa(folder, 'markdown'),
      wholePools,
      eachAnswer,
    ),
    keptSet(
      { name: 'TAT-QA, other forms', family: 'TAT-QA', group: 'answers' },
      loadOtherForms,
      wholePools,
      eachAnswer,
    ),
    keptSet({ name: 'FeTaQA', group: 'answers' }, loadFetaQa, retrieved(SIZE / 4), eachFact),
    keptSet({ name: 'ClapNQ', group: 'answers' }, loadClapNq, retrieved(SIZE), eachFact),
    keptSet({ name: 'HotpotQA', group: 'answers' }, loadHotpot, wholePools, eachFact),
    keptSet({ name: 'MuSiQue', group: 'answers' }, loadMusique, wholePools, eachStep),
    ...xquadLanguages(dataDir).map((language) =>
      keptSet(
        { name: `XQuAD ${language}`, family: 'XQuAD', group: 'answers' },
        (folder) => loadXquad(folder, language),
        retrieved(SIZE),
        anyFact,
      ),
    ),
    keptSet({ name: 'MTRAG-UN', group: 'passages' }, loadMtragUn, retrieved(SIZE), passages),
    ...[
      { name: 'RAMDocs, documents', load: relevantIf(loadRamdocs, isOwn, 4) },
      { name: 'MTRAG-UN, conversation', load: relevantIf(loadMtragUn, sameConversation, 3) },
      { name: 'XQuAD en, article', load: relevantIf(loadEnglish, sameDocument) },
      { name: 'TAT-QA, report', load: relevantIf(loadReports, sameDocument) },
      { name: 'LongMemEval, sessions', load: relevantIf(loadLongMemEvalTurns, sameDocument) },
    ].map(({ name, load }) => keptSet({ name, group: 'many relevant' }, load, retrieved(LARGE), passages)),
    readmes,
  ];
}

function isOwn({ relevant }: Case): (chunk: Chunk) => boolean {
  return ({ id }) => relevant.includes(id);
}

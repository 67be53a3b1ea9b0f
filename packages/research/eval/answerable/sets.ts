import type { SupportFeatures } from '../../../../src/relevance/answerable.js';
import { loadClapNq } from '../data/clapnq.js';
import { inOneCollection } from '../data/collections.js';
import { loadMtragUn, loadUnanswered } from '../data/mtrag-un.js';
import { loadHotpot, loadMusique } from '../data/multihop.js';
import { loadNaturalQuestions } from '../data/nq.js';
import { loadRamdocs } from '../data/ramdocs.js';
import { loadTatQa } from '../data/tatqa.js';
import { loadXquad, xquadLanguages } from '../data/xquad.js';
import { spread } from '../suites/suite.js';
import { loadMixedTurns } from '../train/haystacks.js';
import { type AnswerPool, poolsOf, type Source } from './pools.js';

/** In the order of the rows. */
export const COLUMNS: readonly (keyof SupportFeatures)[] = [
  'grams',
  'phrase',
  'title',
  'mass',
  'bm25',
  'names',
  'numbers',
  'date',
];

/** More chunks than the largest pool, so that one can move up for each that is removed. */
const NQ_CHUNKS = 45;
const NQ_CASES = 600;
/** Of each language. */
const XQUAD_CASES = 100;
const TALK = { cases: 150, distractors: 4 };

/** Families that are learned from; their licences allow it. One is left out as a whole, or not at all. */
export const LEARNED = ['NQ', 'multi-hop', 'RAMDocs', 'XQuAD', 'TAT-QA', 'MTRAG-UN'];

/** Those that are there, at most `limit` questions of each. */
export function loadPools(
  dataDir: string,
  limit: number | undefined,
  onProgress: (what: string) => void,
): AnswerPool[] {
  // A small set has no pools of that size.
  const [nq] = [NQ_CHUNKS, 20].flatMap((size) => {
    const found = loadNaturalQuestions(dataDir, size);
    return found === undefined || found.cases.length === 0 ? [] : [found];
  });
  const tatqa = loadTatQa(dataDir, 'markdown');
  const source = (set: string, given: Omit<Source, 'set' | 'family'> | undefined, family = set): Source[] =>
    given === undefined ? [] : [{ ...given, set, family }];
  const all = <T>(given: T | undefined) => given && { ...given, needsAll: true };
  const mtrag = loadMtragUn(dataDir);
  const sources = [
    ...source('NQ', nq && { cases: spread(nq.cases, NQ_CASES) }),
    ...source('HotpotQA', all(loadHotpot(dataDir)), 'multi-hop'),
    ...source('MuSiQue', all(loadMusique(dataDir)), 'multi-hop'),
    ...source('RAMDocs', loadRamdocs(dataDir)),
    ...xquadLanguages(dataDir).flatMap((language) => {
      const { cases = [] } = loadXquad(dataDir, language) ?? {};
      return source(`XQuAD ${language}`, { cases: spread(cases, XQUAD_CASES) }, 'XQuAD');
    }),
    ...source('TAT-QA', tatqa && all({ cases: inOneCollection(tatqa.cases) })),
    ...source('MTRAG-UN', mtrag && { ...mtrag, unanswered: loadUnanswered(dataDir) }),
    ...source('ClapNQ', loadClapNq(dataDir)),
    ...source('LongMemEval turns', talk(dataDir)),
  ];
  return sources.flatMap((each) => {
    const limited = {
      ...each,
      cases: spread(each.cases, limit),
      unanswered: spread(each.unanswered ?? [], limit),
    };
    const pools = poolsOf(limited, COLUMNS);
    onProgress(`pools of ${each.set}`);
    return pools;
  });
}

function talk(dataDir: string): Pick<Source, 'cases'> | undefined {
  const turns = loadMixedTurns(dataDir, TALK.distractors);
  return turns && { cases: spread(turns.cases, TALK.cases) };
}

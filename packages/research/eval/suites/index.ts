/** Every suite, in the order in which they run. */
import { loadLocomo } from '../data/locomo.js';
import { loadLongMemEvalSessions, loadLongMemEvalTurns } from '../data/longmemeval.js';
import { loadHotpot, loadMusique } from '../data/multihop.js';
import { loadNaturalQuestions } from '../data/nq.js';
import { embeddingsFilter, maximalMarginal } from '../methods/langchain.js';
import { bm25, random, tfidf } from '../methods/lexical.js';
import { naive } from '../methods/naive.js';
import { entropyOrder, ours, oursScoresVectors, oursVectors, oursWhole } from '../methods/ours.js';
import { allFactsKept, allStepsKept, answerKept, factsKept, someOfEachKept } from '../metrics.js';
import { answerable } from './answerable.js';
import { budgetSuite } from './budget.js';
import { calibration } from './calibration.js';
import { code } from './code.js';
import { conflicts } from './conflicts.js';
import { cost } from './cost.js';
import { history } from './history.js';
import { kept } from './kept.js';
import { kinds } from './kinds.js';
import { logs } from './logs.js';
import { match } from './match.js';
import { natural } from './natural.js';
import { operations } from './operations.js';
import { paraphrase } from './paraphrase.js';
import { poison } from './poison.js';
import { poisonClean } from './poison-clean.js';
import { poisonFlags } from './poison-flags.js';
import { rankingSuite } from './ranking.js';
import { readmes } from './readmes.js';
import { realListsSuite } from './real-lists.js';
import { rerankers } from './rerankers.js';
import { slimcontext } from './slimcontext.js';
import { statements } from './statements.js';
import type { Suite } from './suite.js';
import { tables } from './tables.js';

const RANKERS = [random, entropyOrder, tfidf, bm25, embeddingsFilter, maximalMarginal];
const OURS = [ours, oursVectors, oursScoresVectors];
const INTO_BUDGETS = [...RANKERS, naive, ours, oursWhole, oursVectors, oursScoresVectors];

export const ANSWER_KEPT = { name: 'answer kept', of: answerKept };

export const SUITES: readonly Suite[] = [
  budgetSuite('nq', 'Natural Questions, pools of 20', loadNaturalQuestions, [ANSWER_KEPT], INTO_BUDGETS),
  budgetSuite(
    'hotpot',
    'HotpotQA',
    loadHotpot,
    [
      { name: 'all sentences', of: allFactsKept },
      { name: 'share of sentences', of: factsKept },
    ],
    INTO_BUDGETS,
  ),
  budgetSuite(
    'musique',
    'MuSiQue',
    loadMusique,
    [
      { name: 'all paragraphs', of: allFactsKept },
      { name: 'some of each', of: someOfEachKept },
      { name: 'answers of all steps', of: allStepsKept },
    ],
    INTO_BUDGETS,
  ),
  rankingSuite('locomo', 'LoCoMo turns', loadLocomo, [...RANKERS, ...OURS]),
  rankingSuite('longmemeval', 'LongMemEval sessions', loadLongMemEvalSessions, [...RANKERS, ...OURS]),
  rankingSuite('longmemeval-turns', 'LongMemEval turns', loadLongMemEvalTurns, [...RANKERS, ...OURS]),
  history,
  kept,
  realListsSuite,
  match,
  calibration,
  readmes,
  slimcontext,
  paraphrase,
  conflicts,
  statements,
  natural,
  answerable,
  poison,
  poisonClean,
  poisonFlags,
  rerankers,
  cost,
  logs,
  tables,
  code,
  kinds,
  operations,
];

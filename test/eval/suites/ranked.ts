/**
 * Lists as retrievers make them: does shaping keep the order of a list where it is good, and better it where it is
 * not? Compared with the order as it came, which a user had for nothing.
 */
import type { Case } from '../data/case.js';
import { type Collection, collectionsOf, jointly } from '../data/collections.js';
import { inputOrder } from '../methods/lexical.js';
import { type Method, topOf } from '../methods/method.js';
import { ours, oursScored, oursVectors } from '../methods/ours.js';
import {
  answerKept,
  answersKept,
  evidenceShareKept,
  type Kept,
  ndcgAt,
  ownFactKept,
  recallAt,
} from '../metrics.js';
import { foundCase, overfetch, type RankedList } from '../overfetch.js';
import { poolMaker } from '../pool.js';
import { countTokensO200k as countTokens } from '../tokens.js';
import { comparePerSet, merged, ScoreSheet } from './per-set.js';
import { limited, runnable, type Suite, type SuiteInput, skippedNote } from './suite.js';

const SIZES = [20, 100];
const DEPTH = 10;
/** Budgets: the tokens of the list over each of these. */
const FACTORS = [4, 10];
/** Questions of each set, where no other limit is given. All of them would take hours. */
const QUESTIONS = 100;
const METHODS = [inputOrder, ours, ...oursScored, oursVectors];
/** Into budgets; the others differ from these in the shape of their scores alone. */
const INTO_BUDGETS: readonly Method[] = [inputOrder, ours, ...oursScored.slice(0, 1), oursVectors];
const NDCG = `nDCG@${DEPTH}`;
const RECALL = `recall@${DEPTH}`;
const ANSWERS = 'answers';
const GOLD_TEXT = 'share of the gold text';
const atFactor = (evidence: string, factor: number) => `${evidence} at ${factor}x`;

interface Evidence {
  name: string;
  of(question: Case, kept: readonly Kept[]): number;
}

/**
 * How much of the evidence is in what was kept: answers where the set has them, else the text of the gold passages.
 * Extraction is there to leave text out, also of those, so this share gates nothing.
 */
export const EVIDENCE: Readonly<Record<Collection['family'], Evidence>> = {
  NQ: { name: ANSWERS, of: answerKept },
  XQuAD: { name: ANSWERS, of: ownFactKept },
  RAMDocs: { name: ANSWERS, of: answersKept },
  MuSiQue: { name: ANSWERS, of: answerKept },
  HotpotQA: { name: ANSWERS, of: answerKept },
  'MTRAG-UN': {
    name: GOLD_TEXT,
    of: (question, kept) => evidenceShareKept(question, kept, countTokens),
  },
};

export const ranked: Suite = {
  name: 'ranked',
  async run(input) {
    const sheets = new Map(SIZES.map((size): [number, ScoreSheet[]] => [size, []]));
    const counts: Record<string, number> = {};
    const collections = collectionsOf(input.dataDir);
    for (const collection of [...collections, ...jointly(collections)]) {
      const questions = limited(collection.dataset, input.limit ?? QUESTIONS);
      counts[`questions of ${collection.name}`] = questions.cases.length;
      for (const [size, sets] of sheets) {
        sets.push(await scoreLists(collection, overfetch(questions, size), input));
      }
    }
    if (Object.keys(counts).length === 0) return undefined;
    const results = [...sheets].map(([size, sets]) =>
      comparePerSet(sets, inputOrder.name, {
        name: `best ${size}`,
        title: `BM25’s best ${size} of a collection`,
        gates: [NDCG, ...FACTORS.map((factor) => atFactor(ANSWERS, factor))],
        notes: [
          'Paired differences from the input order, with 95 % intervals.',
          ...skippedNote(METHODS, input.embedder),
        ],
      }),
    );
    return merged('ranked', counts, results);
  },
};

async function scoreLists(
  { name, family }: Collection,
  lists: readonly RankedList[],
  { embedder, onProgress }: SuiteInput,
): Promise<ScoreSheet> {
  const makePool = poolMaker(embedder);
  const sheet = new ScoreSheet(name);
  for (const [at, list] of lists.entries()) {
    onProgress(at, lists.length);
    const { case: question, scores } = list;
    const found = foundCase(list);
    const pool = { ...(await makePool(found, at)), scores };
    const total = found.chunks.reduce((sum, { text }) => sum + countTokens(text), 0);
    sheet.groups.push(`${family} ${question.group}`);
    for (const method of runnable(METHODS, embedder)) {
      const top = await topOf(method, pool, DEPTH);
      sheet.add(method, NDCG, ndcgAt(DEPTH, question.relevant, top));
      sheet.add(method, RECALL, recallAt(DEPTH, question.relevant, top));
      if (!INTO_BUDGETS.includes(method)) continue;
      for (const factor of FACTORS) {
        const kept = await method.fit(pool, Math.max(1, Math.floor(total / factor)), countTokens);
        sheet.add(method, atFactor(EVIDENCE[family].name, factor), EVIDENCE[family].of(question, kept));
      }
    }
  }
  return sheet;
}

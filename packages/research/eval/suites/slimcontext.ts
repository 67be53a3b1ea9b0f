/**
 * The benchmark of the SlimContext service: how many words go, and in how many cases the answer stays.
 * The service's own figures are of a run of that service with its published settings on the same set.
 */
import { createShaper, type ShapingOptions } from 'context-shaping';
import { descending } from '../../../devtools/src/measurement/index.js';
import type { Case } from '../data/case.js';
import { loadSlimContext } from '../data/slimcontext.js';
import { bm25 } from '../methods/lexical.js';
import { ranker } from '../methods/method.js';
import { answerKept, type Kept } from '../metrics.js';
import type { Pool } from '../pool.js';
import { type Scores, summarise } from '../results.js';
import { comparisonsTable, methodsTable } from '../tables.js';
import { limited, type Suite } from './suite.js';

const METRICS = ['answer kept', 'words cut'];
/** Budgets: shares of the words of the pool. */
const SHARES = [0.5, 0.3, 0.2, 0.1];

const PUBLISHED = [
  ['SlimContext, k = 1', '.650', '.734', '–'],
  ['SlimContext, k = 1, no compression', '1.000', '.557', '–'],
];

interface Setting {
  name: string;
  keep(pool: Pool): Promise<readonly Kept[]>;
}

const countWords = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;
const wordsIn = (texts: readonly { text: string }[]): number =>
  texts.reduce((sum, { text }) => sum + countWords(text), 0);

const ours = (name: string, optionsFor: (words: number) => ShapingOptions): Setting => ({
  name: `ours, ${name}`,
  async keep({ question: query, chunks }) {
    const shaper = createShaper({ ...optionsFor(wordsIn(chunks)), tokenizer: countWords });
    return (await shaper.shape({ query, chunks })).chunks;
  },
});

const byScore = ranker('score', ({ chunks }) => descending(chunks.map(({ score }) => score ?? 0)));
const within = (share: number) => `${share * 100} % of the words`;
const budgetOf = (words: number, share: number) => Math.max(1, Math.floor(words * share));

const SETTINGS: readonly Setting[] = [
  ours('no limit', () => ({})),
  ours('k = 1', () => ({ k: 1 })),
  ...[60, 70].map((words) => ours(`k = 1, ${words} words`, () => ({ k: 1, budget: { maxTokens: words } }))),
  ...SHARES.map((share) =>
    ours(within(share), (words) => ({ budget: { maxTokens: budgetOf(words, share) } })),
  ),
  ...[bm25, byScore].flatMap((method) =>
    SHARES.map((share) => ({
      name: `top-k by ${method === bm25 ? 'BM25' : 'score'}, ${within(share)}`,
      keep: (pool: Pool) => method.fit(pool, budgetOf(wordsIn(pool.chunks), share), countWords),
    })),
  ),
];
const PAIRS = SHARES.flatMap((share) =>
  ['BM25', 'score'].map((by) => [`ours, ${within(share)}`, `top-k by ${by}, ${within(share)}`] as const),
);

export const slimcontext: Suite = {
  name: 'slimcontext',
  async run({ dataDir, limit, onProgress }) {
    const loaded = loadSlimContext(dataDir);
    if (loaded === undefined) return undefined;
    const dataset = limited(loaded, limit);
    const scores: Scores[] = [];
    for (const [at, setting] of SETTINGS.entries()) {
      onProgress(at, SETTINGS.length);
      scores.push(await score(setting, dataset.cases));
    }
    const summary = summarise('slimcontext', dataset, scores, PAIRS, ['answer kept']);
    const table = methodsTable('SlimContext’s benchmark, budgets in words', summary, METRICS);
    table.rows.push(...PUBLISHED);
    const tables = [table, comparisonsTable(summary.comparisons, ['answer kept'])];
    return { ...summary, tables };
  },
};

async function score({ name, keep }: Setting, cases: readonly Case[]): Promise<Scores> {
  const answers: number[] = [];
  const cuts: number[] = [];
  const started = performance.now();
  for (const [at, question] of cases.entries()) {
    const kept = await keep({ ...question, seed: at });
    answers.push(answerKept(question, kept));
    cuts.push(1 - wordsIn(kept) / wordsIn(question.chunks));
  }
  const milliseconds = (performance.now() - started) / cases.length;
  return { method: name, milliseconds, values: { 'answer kept': answers, 'words cut': cuts } };
}

/**
 * Questions that continue a conversation: what do they gain from it, compared with the question alone and with the turns as
 * a part of the question? And questions after a conversation about something else: do they lose?
 */
import type { Case, Dataset } from '../data/case.js';
import { afterOthers } from '../data/conversations.js';
import { loadConversations } from '../data/mtrag-un.js';
import { loadMusique } from '../data/multihop.js';
import { loadNaturalQuestions } from '../data/nq.js';
import { heldOutTable } from '../history/held-out.js';
import { type Method, topOf } from '../methods/method.js';
import { allSaid, lastTwo, ours, withoutHistory } from '../methods/ours.js';
import { evidenceShareKept, ndcgAt, recallAt } from '../metrics.js';
import { poolMaker } from '../pool.js';
import { countTokensO200k as countTokens } from '../tokens.js';
import { comparePerSet, merged, ScoreSheet } from './per-set.js';
import { limited, type Suite, type SuiteInput, spread } from './suite.js';

const FACTORS = [2, 4, 10];
const DEPTH = 10;
const METHODS = [withoutHistory, ours, lastTwo, allSaid];
/** The others lose so much in the order that their budgets need no measuring. */
const INTO_BUDGETS: readonly Method[] = [withoutHistory, ours];
/** Questions of Natural Questions, as many as MuSiQue has. */
const QUESTIONS = 100;
const NOTE = 'Paired differences from the question without its conversation, with 95 % intervals.';

export const history: Suite = {
  name: 'history',
  async run(input) {
    const conversations = loadConversations(input.dataDir);
    if (conversations === undefined) return undefined;
    const { cases, counts } = limited(conversations, input.limit);
    const continuing = await Promise.all(
      [...new Set(cases.map(({ category = '' }) => category))].map((name) =>
        scored(
          name,
          cases.filter(({ category }) => category === name),
          input,
        ),
      ),
    );
    const unrelated: ScoreSheet[] = [];
    for (const [name, dataset] of [
      ['NQ', loadNaturalQuestions(input.dataDir)],
      ['MuSiQue', loadMusique(input.dataDir)],
    ] as const) {
      if (dataset === undefined) continue;
      unrelated.push(await scored(name, afterOthers(some(dataset, input)), input));
    }
    const compare = (sets: readonly ScoreSheet[], name: string, title: string, gates: string[]) =>
      sets.length === 0
        ? []
        : [comparePerSet(sets, withoutHistory.name, { name, title, notes: [NOTE], gates })];
    const result = merged('history', counts, [
      ...compare(continuing, 'continuing', 'MTRAG-UN, questions that continue a conversation', []),
      ...compare(unrelated, 'unrelated', 'Questions after a conversation about something else', []),
    ]);
    return { ...result, tables: [heldOutTable(cases), ...result.tables] };
  },
};

const some = ({ cases }: Dataset, { limit = QUESTIONS }: SuiteInput): readonly Case[] => spread(cases, limit);

async function scored(name: string, cases: readonly Case[], { onProgress }: SuiteInput): Promise<ScoreSheet> {
  const makePool = poolMaker(undefined);
  const sheet = new ScoreSheet(name);
  for (const [at, question] of cases.entries()) {
    onProgress(at, cases.length);
    const pool = await makePool(question, at);
    const total = question.chunks.reduce((sum, { text }) => sum + countTokens(text), 0);
    sheet.groups.push(`${name} ${question.group}`);
    for (const method of METHODS) {
      const top = await topOf(method, pool, DEPTH);
      sheet.add(method, `nDCG@${DEPTH}`, ndcgAt(DEPTH, question.relevant, top));
      sheet.add(method, 'recall@5', recallAt(5, question.relevant, top));
      if (!INTO_BUDGETS.includes(method)) continue;
      for (const factor of FACTORS) {
        const kept = await method.fit(pool, Math.max(1, Math.floor(total / factor)), countTokens);
        sheet.add(method, `gold kept at ${factor}x`, evidenceShareKept(question, kept, countTokens));
      }
    }
  }
  return sheet;
}

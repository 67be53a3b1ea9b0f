/** What methods keep of lists at budgets, question by question. */
import type { TokenCounter } from 'context-shaping';
import { headersKept, type TableCase } from '../data/tatqa.js';
import type { Method } from '../methods/method.js';
import { ours } from '../methods/ours.js';
import type { Kept } from '../metrics.js';
import type { Pool } from '../pool.js';
import type { Group, KeptSet, Question } from './sets.js';

/** Tokens, or one over the share of the pool's tokens. */
interface Budget {
  name: string;
  of(poolTokens: number): number;
}

const shareOf = (factor: number): Budget => ({
  name: `1/${factor}`,
  of: (tokens) => Math.floor(tokens / factor),
});
const fixed = (tokens: number): Budget => ({ name: `${tokens}`, of: () => tokens });

export const BUDGETS: Readonly<Record<Group, readonly Budget[]>> = {
  answers: [shareOf(2), shareOf(4), shareOf(10), fixed(300), fixed(600), fixed(1500)],
  passages: [shareOf(2), shareOf(4), shareOf(10), fixed(300), fixed(600), fixed(1500)],
  'many relevant': [fixed(1500), fixed(3000)],
};

/** One value per question of a set, by method and by budget; NaN where the whole pool fits the budget. */
export type Values = Map<string, Map<string, number[]>>;

/** What methods kept of the lists of one kind of one set. */
export interface Run {
  set: KeptSet;
  list: string;
  /** Of each question: its id, and what is drawn as one. */
  ids: readonly string[];
  groups: readonly string[];
  /** nDCG@10 of the lists as they came. */
  quality: readonly number[];
  kept: Values;
  /** The share of the budget that was used, of what the pool could fill. */
  used: Values;
  /** Of tables that were cut: 1 if all rows of the header are there; else NaN. */
  headers: Values;
}

export async function runLists(
  set: KeptSet,
  list: string,
  questions: readonly Question[],
  pools: readonly Pool[],
  quality: readonly number[],
  methods: readonly Method[],
  countTokens: TokenCounter,
): Promise<Run> {
  const [kept, used, headers]: [Values, Values, Values] = [new Map(), new Map(), new Map()];
  for (const [at, pool] of pools.entries()) {
    const { list: found, share } = questions[at] as Question;
    const total = tokensOf(pool.chunks, countTokens);
    for (const { name, of } of BUDGETS[set.group]) {
      const maxTokens = Math.max(1, of(total));
      for (const method of methods) {
        const texts = maxTokens < total ? await method.fit(pool, maxTokens, countTokens) : undefined;
        const tokens = texts && tokensOf(texts, countTokens);
        // Of the rivals, sentences that are counted one by one can take a token or two more when they are joined.
        if (method === ours && tokens !== undefined && tokens > maxTokens)
          throw new Error(`${method.name} kept ${tokens} tokens of ${maxTokens} for ${found.case.id}.`);
        add(kept, method, name, texts && share(texts, maxTokens));
        add(used, method, name, tokens && tokens / maxTokens);
        add(headers, method, name, texts && headersIn(found.case, texts));
      }
    }
  }
  const groups = questions.map(({ list: { case: question } }) => `${set.family} ${question.group}`);
  const ids = questions.map(({ list: { case: question } }) => question.id);
  return { set, list, ids, groups, quality, kept, used, headers };
}

function add(values: Values, method: Method, budget: string, value = Number.NaN): void {
  const byBudget = values.get(method.name) ?? new Map<string, number[]>();
  values.set(method.name, byBudget);
  const own = byBudget.get(budget) ?? [];
  byBudget.set(budget, own);
  own.push(value);
}

const tokensOf = (texts: readonly { text: string }[], countTokens: TokenCounter) =>
  texts.reduce((sum, { text }) => sum + countTokens(text), 0);

function headersIn(question: object, kept: readonly Kept[]): number | undefined {
  if (!('headerLines' in question)) return undefined;
  const table = question as TableCase;
  const texts = kept.filter(({ id }) => id === table.table).map(({ text }) => text);
  return headersKept(table, texts.join('\n'));
}

/** Of each question the mean over the budgets at which the pool is larger; NaN if there is none. */
export function overBudgets(values: Values, method: string, budgets?: readonly string[]): number[] {
  const byBudget = [...(values.get(method) ?? [])].filter(([name]) => budgets?.includes(name) ?? true);
  const size = byBudget[0]?.[1].length ?? 0;
  return Array.from({ length: size }, (_, at) => {
    const known = byBudget.map(([, own]) => own[at] as number).filter((value) => !Number.isNaN(value));
    return known.reduce((sum, value) => sum + value, 0) / known.length;
  });
}

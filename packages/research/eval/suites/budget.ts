/** Suites that ask how much of the evidence survives a hard budget of tokens. */
import type { Case, Dataset } from '../data/case.js';
import type { Method } from '../methods/method.js';
import type { Kept } from '../metrics.js';
import { poolMaker } from '../pool.js';
import { type Scores, summarise } from '../results.js';
import { comparisonsTable, methodsTable } from '../tables.js';
import { countTokens } from '../tokens.js';
import { COMPARISONS } from './comparisons.js';
import { limited, runnable, type Suite, type SuiteInput, skippedNote } from './suite.js';

/** Budgets: the tokens of the pool over each of these. */
const FACTORS = [2, 4, 10];

export interface Measure {
  name: string;
  of(question: Case, kept: readonly Kept[]): number;
}

export function budgetSuite(
  name: string,
  title: string,
  load: (dataDir: string) => Dataset | undefined,
  measures: readonly Measure[],
  methods: readonly Method[],
): Suite {
  return {
    name,
    async run(input) {
      const loaded = load(input.dataDir);
      if (loaded === undefined) return undefined;
      const dataset = limited(loaded, input.limit);
      const scores = await scoreBudgets(dataset, FACTORS, measures, runnable(methods, input.embedder), input);
      const compared = measures.flatMap((measure) => FACTORS.map((factor) => metricName(measure, factor)));
      const summary = summarise(name, dataset, scores, COMPARISONS, compared);
      const notes = skippedNote(methods, input.embedder);
      const tables = measures.flatMap((measure) => {
        const metrics = FACTORS.map((factor) => metricName(measure, factor));
        return [
          methodsTable(`${title}: ${measure.name}`, summary, metrics, notes),
          comparisonsTable(summary.comparisons, metrics),
        ];
      });
      return { ...summary, tables };
    },
  };
}

export const metricName = (measure: Measure, factor: number) => `${measure.name} at ${factor}x`;
export const tokensName = (factor: number) => `share of tokens at ${factor}x`;

/** Every measure at every budget, and the share of the tokens that was kept. */
export async function scoreBudgets(
  { cases }: Dataset,
  factors: readonly number[],
  measures: readonly Measure[],
  methods: readonly Method[],
  { embedder, onProgress }: Pick<SuiteInput, 'embedder' | 'onProgress'>,
): Promise<Scores[]> {
  const makePool = poolMaker(embedder);
  const scores = methods.map((method): Scores => ({ method: method.name, milliseconds: 0, values: {} }));
  for (const [at, question] of cases.entries()) {
    onProgress(at, cases.length);
    const pool = await makePool(question, at);
    const total = question.chunks.reduce((sum, { text }) => sum + countTokens(text), 0);
    for (const [place, method] of methods.entries()) {
      const score = scores[place] as Scores;
      const add = (metric: string, value: number) => {
        score.values[metric] ??= [];
        score.values[metric].push(value);
      };
      for (const factor of factors) {
        const maxTokens = Math.max(1, Math.floor(total / factor));
        const started = performance.now();
        const kept = await method.fit(pool, maxTokens, countTokens);
        score.milliseconds += (performance.now() - started) / (cases.length * factors.length);
        const tokens = kept.reduce((sum, { text }) => sum + countTokens(text), 0);
        if (tokens > maxTokens)
          throw new Error(`${method.name} kept ${tokens} tokens of ${maxTokens} for ${question.id}.`);
        for (const measure of measures) add(metricName(measure, factor), measure.of(question, kept));
        add(tokensName(factor), tokens / total);
      }
    }
  }
  return scores;
}

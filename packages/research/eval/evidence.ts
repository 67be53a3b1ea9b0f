/** How many answers survive against how many tokens do: the figures of the plot in docs/results/quality.md. */
import { mean } from '../../devtools/src/measurement/index.js';
import { loadNaturalQuestions } from './data/nq.js';
import { embeddingsFilter, maximalMarginal } from './methods/langchain.js';
import { bm25, random } from './methods/lexical.js';
import { naive } from './methods/naive.js';
import { entropyOrder, ours, oursVectors } from './methods/ours.js';
import { answerKept } from './metrics.js';
import { metricName, scoreBudgets, tokensName } from './suites/budget.js';
import { limited, runnable, type SuiteInput } from './suites/suite.js';

const FACTORS = [1.5, 2, 3, 4, 6, 8, 10, 15, 20];
const METHODS = [oursVectors, ours, bm25, naive, embeddingsFilter, maximalMarginal, random, entropyOrder];
const ANSWER = { name: 'answer kept', of: answerKept };

export interface Evidence {
  set: string;
  questions: number;
  /** For each method and budget: the tokens of the pool divided by `factor`; and the mean shares that were kept. */
  points: { method: string; factor: number; tokens: number; kept: number }[];
}

/** Undefined if the data is not there. */
export async function measureEvidence(input: SuiteInput): Promise<Evidence | undefined> {
  const loaded = loadNaturalQuestions(input.dataDir);
  if (loaded === undefined) return undefined;
  const dataset = limited(loaded, input.limit);
  const methods = runnable(METHODS, input.embedder);
  const scores = await scoreBudgets(dataset, FACTORS, [ANSWER], methods, input);
  const points = scores.flatMap(({ method, values }) =>
    FACTORS.map((factor) => ({
      method,
      factor,
      tokens: rounded(mean(values[tokensName(factor)] ?? [])),
      kept: rounded(mean(values[metricName(ANSWER, factor)] ?? [])),
    })),
  );
  return { set: 'Natural Questions, pools of 20 passages', questions: dataset.cases.length, points };
}

const rounded = (share: number) => Math.round(share * 10_000) / 10_000;

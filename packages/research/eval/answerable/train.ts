import type { Table } from '../results.js';
import { learn, type Model } from './learn.js';
import { COLUMNS, LEARNED, loadPools } from './sets.js';
import { tableOf } from './table.js';

/**
 * What is learned from all sets, and how good it is on each that was left out.
 *
 * @throws Error if a data set is not there: without it the weights would be others.
 */
export function trainAnswerable({
  dataDir,
  onProgress,
}: {
  dataDir: string;
  /** Told of each set when its values are there. */
  onProgress(what: string): void;
}): { file: string; tables: Table[] } {
  const pools = loadPools(dataDir, undefined, onProgress);
  const missing = LEARNED.filter((family) => !pools.some((pool) => pool.family === family));
  if (missing.length > 0) throw new Error(`${missing.join(', ')} not in ${dataDir}; all sets are needed.`);
  const model = learn(
    pools.filter(({ family }) => LEARNED.includes(family)),
    COLUMNS.length,
  );
  return { file: answerableFile(rounded(model)), tables: [tableOf(pools)] };
}

const hundredths = (value: number) => Math.round(value * 100) / 100;
const rounded = ({ bias, weights }: Model): Model => ({
  bias: hundredths(bias),
  weights: weights.map(hundredths),
});

/** From learned weights to the file that the library reads. */
export function answerableFile({ bias, weights }: Model): string {
  const lines = COLUMNS.map((name, at) => `    ${name}: ${weights[at]},\n`);
  return `${HEADER}export const ANSWERABLE = {
  bias: ${bias},
  weights: {
${lines.join('')}  },
} as const;
`;
}

const HEADER = `/**
 * Learned weights of support. Written by \`npm run train -- --answerable\`; do not edit.
 *
 * The weights predict, as log-odds, whether a pool holds the answer, from its best text. Learned from Natural Questions,
 * HotpotQA, MuSiQue, RAMDocs, XQuAD in six languages, TAT-QA and MTRAG-UN: pools of 1 to 40 texts as BM25 ranks them, with
 * the evidence, and with the evidence removed and the next texts in its place. A third of the questions is also asked in
 * search words, in two words and in one.
 */
`;

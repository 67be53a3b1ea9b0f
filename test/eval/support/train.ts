import type { Table } from '../results.js';
import { tableOf } from './confusion.js';
import { judge, learn, type Model, type Thresholds, thresholdsOf } from './learn.js';
import type { Kept } from './pools.js';
import { COLUMNS, loadKept, SHARES, TRAINED_ON } from './sets.js';

/**
 * What is learned from all sets, and how good it is where it was held out.
 *
 * @throws Error if a data set is not there: without it the weights would be others.
 */
export async function trainSupport({
  dataDir,
  onProgress,
}: {
  dataDir: string;
  /** Told of each set when its features are there. */
  onProgress(what: string): void;
}): Promise<{ file: string; tables: Table[] }> {
  const sets = new Map<string, readonly Kept[]>();
  for (const [name, load] of Object.entries(TRAINED_ON)) {
    const kept = await loadKept(load, dataDir, undefined, () => {});
    if (kept === undefined) throw new Error(`${name} is not in ${dataDir}; all sets are needed.`);
    sets.set(name, kept);
    onProgress(`pools of ${name}`);
  }
  const model = rounded(learn(sets, SHARES, COLUMNS.length));
  const bounds = thresholdsOf(sets, (pool) => judge(model, pool));
  return { file: supportFile(model, bounds), tables: [tableOf(sets, sets)] };
}

const hundredths = (value: number) => Math.round(value * 100) / 100;
const rounded = ({ bias, weights }: Model): Model => ({
  bias: hundredths(bias),
  weights: weights.map(hundredths),
});

/** From learned weights to the file that the library reads. */
export function supportFile({ bias, weights }: Model, { lower, upper }: Thresholds): string {
  const lines = COLUMNS.map((name, at) => `    ${name}: ${weights[at]},\n`);
  return `${HEADER}export const SUPPORT = {
  bias: ${bias},
  weights: {
${lines.join('')}  },
  lower: ${lower},
  upper: ${upper},
} as const;
`;
}

const HEADER = `/**
 * Learned weights and bounds of support. Written by \`npm run train -- --support\`; do not edit.
 *
 * The weights predict, as log-odds, which of the chunks that shaping keeps are evidence, in Natural Questions, HotpotQA
 * and MuSiQue. A third of the pools contains evidence, a third had its evidence removed, and a third was retrieved for
 * another question. With these bounds, at most 5 % of the pools with evidence count as incorrect, and at most 15 % of
 * the pools without it as correct.
 */
`;

import type { SupportFeatures } from '../../../src/relevance/support.js';
import type { Dataset } from '../data/case.js';
import { loadHotpot, loadMusique } from '../data/multihop.js';
import { loadNaturalQuestions } from '../data/nq.js';
import { limited } from '../suites/suite.js';
import { type Kept, keptOf } from './pools.js';

type Load = (dataDir: string) => Dataset | undefined;

/** What support is learned from; data sets with licences that a commercial library may learn from. */
export const TRAINED_ON: Readonly<Record<string, Load>> = {
  'Natural Questions': loadNaturalQuestions,
  HotpotQA: loadHotpot,
  MuSiQue: loadMusique,
};

/** How much each counts: of the two whose questions take several steps, a hundred are there. */
export const SHARES: Readonly<Record<string, number>> = {
  'Natural Questions': 1,
  HotpotQA: 0.5,
  MuSiQue: 0.5,
};

/** A third of the largest set says the same, and takes a third of the time. */
export const MOST_CASES = 900;

/** In the order of the rows. */
export const COLUMNS: readonly (keyof SupportFeatures)[] = [
  'phrase',
  'rarest',
  'lead',
  'grams',
  'mass',
  'date',
  'number',
];

export async function loadKept(
  load: Load,
  dataDir: string,
  limit: number | undefined,
  onProgress: (done: number, total: number) => void,
): Promise<readonly Kept[] | undefined> {
  const dataset = load(dataDir);
  if (dataset === undefined) return undefined;
  return keptOf(limited(dataset, Math.min(limit ?? MOST_CASES, MOST_CASES)).cases, COLUMNS, onProgress);
}

/** The options that are varied, and the values of each beyond which nothing changes. */
import type { ResolvedOptions, ShapingReport } from '../../src/index.js';
import { defaultStage, frameTokens, loadTokenCounter } from '../../src/internal.js';
import type { Axis } from './sweep.js';

/**
 * Budgets run from the least that the options allow, `reserve` + 1, to the tokens of all chunks that reach a limit,
 * `reserve`, and the text around the passages. There the room is as large as these chunks together, and nothing changes
 * with more: no comparison of tokens with the room has another result, all of them fit at once, and `extract` has nothing
 * to do.
 *
 * With a limit of tokens for each source or tier, `extract` can act although the room is large enough, and reads how full
 * the room is. Then values beyond the last one are left open.
 *
 * At least one token is left, so the values up to `reserve` and that text + 1 are equal; stages of users may see the
 * difference in evictions.
 */
export async function budgetAxis(options: ResolvedOptions, report: ShapingReport): Promise<Axis> {
  const { reserve, maxTokens, perSource } = options.budget;
  const around =
    options.frame === false ? 0 : frameTokens(options, await loadTokenCounter(options.tokenizer));
  const limitsTokens = perSource != null || options.trust.some((tier) => tier.maxTokens != null);
  const from = reserve + 1;
  // These chunks go with every budget.
  const gone = report.evicted.filter(({ stage }) => defaultStage(stage)?.acts === 'always');
  const wanted = gone.reduce((sum, { tokens }) => sum - tokens, report.tokens.input);
  return {
    option: 'budget.maxTokens',
    current: maxTokens ?? null,
    from,
    to: Math.max(from, wanted + reserve + around),
    perUnit: 1,
    isOpen: options.extract === false || !limitsTokens,
    equalUpTo: options.stages === undefined ? reserve + around + 1 : 0,
    overrides: (maxTokens) => ({ budget: { maxTokens } }),
  };
}

/** Only `select` and stages after it read `k`. No more chunks than all can be kept. */
export const kAxis = (options: ResolvedOptions, chunks: number): Axis | undefined =>
  options.select === false
    ? undefined
    : {
        option: 'k',
        current: options.k ?? null,
        from: 1,
        to: Math.max(1, chunks),
        perUnit: 1,
        isOpen: true,
        equalUpTo: 0,
        overrides: (k) => ({ k }),
      };

export const lambdaAxis = (options: ResolvedOptions): Axis | undefined =>
  options.select === false
    ? undefined
    : {
        option: 'select.lambda',
        current: options.select.lambda,
        from: 0,
        to: 1,
        perUnit: 100,
        isOpen: false,
        equalUpTo: -1,
        overrides: (lambda) => ({ lambda }),
      };

/** No cluster has more members than there are chunks. */
export const clusterAxis = (options: ResolvedOptions, chunks: number): Axis | undefined =>
  options.cluster === false
    ? undefined
    : {
        option: 'cluster.maxPerCluster',
        current: options.cluster.maxPerCluster,
        from: 1,
        to: Math.max(1, chunks),
        perUnit: 1,
        isOpen: true,
        equalUpTo: 0,
        overrides: (maxPerCluster) => ({ cluster: { maxPerCluster } }),
      };

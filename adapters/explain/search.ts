/** The options that are varied, and the search for the nearest value that changes something. */
import type { ResolvedOptions, SessionOverrides, ShapingReport } from '../../src/index.js';
import { defaultStage, frameTokens, loadTokenCounter } from '../../src/internal.js';
import type { Counterfactuals, KeptValues } from './counterfactuals.js';

export type AxisName = keyof Pick<Counterfactuals, 'maxTokens' | 'k' | 'lambda' | 'maxPerCluster'>;

/** The values of one option. */
export interface Axis extends Pick<KeptValues, 'option' | 'current'> {
  readonly from: number;
  readonly to: number;
  /** Steps in one unit: 1 for whole numbers, 10 for tenths. */
  readonly perUnit: number;
  readonly overrides: (value: number) => SessionOverrides;
}

/**
 * The values of an option. Undefined if no stage reads it.
 *
 * Budgets run from the least that the options allow, `reserve` + 1, to the tokens of all chunks that reach a limit,
 * `reserve`, and the text around the passages. There all of these chunks fit at once, so more changes nothing, unless
 * sources or tiers have limits of tokens. No more chunks than all can be kept, or be in one cluster.
 */
export async function axisOf(
  name: AxisName,
  { budget, cluster, frame, k, select, tokenizer }: ResolvedOptions,
  report: ShapingReport,
): Promise<Axis | undefined> {
  const places = { from: 1, to: Math.max(1, report.input.length), perUnit: 1 };
  if (name === 'maxTokens') {
    const around = frame === false ? 0 : frameTokens({ frame }, await loadTokenCounter(tokenizer));
    const from = budget.reserve + 1;
    // These chunks go with every budget.
    const gone = report.evicted.filter(({ stage }) => defaultStage(stage)?.acts === 'always');
    const wanted = gone.reduce((sum, { tokens }) => sum - tokens, report.tokens.input);
    return {
      ...{ option: 'budget.maxTokens', current: budget.maxTokens ?? null, from, perUnit: 1 },
      to: Math.max(from, wanted + budget.reserve + around),
      overrides: (maxTokens) => ({ budget: { maxTokens } }),
    };
  }
  if (name === 'maxPerCluster')
    return cluster === false
      ? undefined
      : {
          ...{ ...places, option: 'cluster.maxPerCluster', current: cluster.maxPerCluster },
          overrides: (maxPerCluster) => ({ cluster: { maxPerCluster } }),
        };
  if (select === false) return undefined;
  return name === 'k'
    ? { ...places, option: 'k', current: k ?? null, overrides: (k) => ({ k }) }
    : {
        ...{ option: 'select.lambda', current: select.lambda, from: 0, to: 1, perUnit: 10 },
        overrides: (lambda) => ({ lambda }),
      };
}

/**
 * A value at which `at` finds something, above or below the current one: the distance is doubled until it does, then
 * halved. So one step nearer nothing was found. Values between that were not tried may find something, too.
 */
export async function nearest<T>(
  { current, from, to, perUnit }: Axis,
  direction: 1 | -1,
  at: (value: number) => Promise<T | undefined>,
): Promise<{ value: number; found: T } | undefined> {
  // No limit, and all values beyond the last, count as the next one.
  const now = Math.min(current ?? Number.POSITIVE_INFINITY, to + 1) * perUnit;
  const start = direction > 0 ? Math.floor(now) : Math.ceil(now);
  const most = direction * ((direction > 0 ? to : from) * perUnit - start);
  const valueAt = (steps: number) => (start + direction * steps) / perUnit;
  let [fails, works] = [0, 0];
  let found: T | undefined;
  for (let steps = 1; found === undefined && works < most; steps *= 2) {
    [fails, works] = [works, Math.min(steps, most)];
    found = await at(valueAt(works));
  }
  while (found !== undefined && works - fails > 1) {
    const middle = Math.floor((fails + works) / 2);
    const other = await at(valueAt(middle));
    if (other === undefined) fails = middle;
    else [found, works] = [other, middle];
  }
  return found === undefined ? undefined : { value: valueAt(works), found };
}

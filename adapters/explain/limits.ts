/** The limits that bind an evicted chunk, alone or together, found by shaping again without them. */
import type { Eviction, SessionOverrides, ShapingReport } from '../../src/index.js';
import { type Counterfactuals, nearest, type Runs } from './runs.js';
import type { Found } from './subject.js';

/** The facts from which a cause is found. */
export interface Case {
  readonly report: ShapingReport;
  readonly found: Found;
  /** Absent if only a report was given. */
  readonly runs?: Runs | undefined;
  readonly counterfactuals?: Counterfactuals | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An evicted chunk's case. */
export type EvictedCase = Case & { readonly found: { readonly eviction: Eviction } };

/** The options that a report shows: resolved, without functions and services. */
export interface ShownOptions {
  k?: number | null;
  budget?: {
    maxTokens?: number | null;
    perSource?: number | null;
    chunksPerSource?: number | null;
  };
  pin?: string[] | 'custom';
  trust?: { value: string; k?: number | null; maxTokens?: number | null }[];
  extract?: unknown;
}

export const optionsOf = ({ report }: Case): ShownOptions => report.options as ShownOptions;

/** The limits of the result, as options. */
export type LimitName = 'k' | 'budget.maxTokens' | 'budget.perSource' | 'budget.chunksPerSource' | 'trust';

/** Overrides that lift each limit. */
type Lifted = Partial<Record<LimitName, SessionOverrides>>;

/** Without all of these limits the chunk is kept; without one of several it is not. `isEnough` false: not even without all. */
export interface BindingLimits {
  limits: LimitName[];
  isEnough: boolean;
}

/**
 * The one limit that binds the chunk, else all limits together. Undefined if the input is not there, no limit is set, or a
 * service would have to be asked.
 */
export async function bindingLimits(it: EvictedCase): Promise<BindingLimits | undefined> {
  const lifted = liftedLimits(it);
  const names = Object.keys(lifted) as LimitName[];
  if (it.runs === undefined || names.length === 0) return undefined;
  const alone = names.map((name) => [name]);
  for (const limits of names.length > 1 ? [...alone, names] : alone) {
    const isKept = await it.runs.keeps(it.found.index, merged(limits, lifted), it.signal);
    if (isKept === undefined) return undefined;
    if (isKept) return { limits, isEnough: true };
  }
  return { limits: names, isEnough: false };
}

/**
 * A change of the limits that bind: a `k` and a budget that still keep the chunk, and no other limit. One step less of `k` or
 * of the budget was run, and evicts it.
 */
export async function changeOf(
  { limits, isEnough }: BindingLimits,
  it: EvictedCase,
): Promise<SessionOverrides> {
  const { runs, found, signal } = it;
  if (!isEnough || runs === undefined) return {};
  const values = { ...liftedLimits(it) };
  for (const [name, axisName] of [
    ['k', 'k'],
    ['budget.maxTokens', 'maxTokens'],
  ] as const) {
    const axis = limits.includes(name) ? await runs.axis(axisName, signal) : undefined;
    const change =
      axis &&
      (await nearest(axis, 1, async (value) => {
        const tried = merged(limits, { ...values, [name]: axis.overrides(value) });
        return (await runs.keeps(found.index, tried, signal)) || undefined;
      }));
    if (axis !== undefined && change !== undefined) values[name] = axis.overrides(change.value);
  }
  return merged(limits, values);
}

function liftedLimits(it: EvictedCase): Lifted {
  const { k, budget = {}, trust = [] } = optionsOf(it);
  const { maxTokens, perSource, chunksPerSource } = budget;
  const without = (name: string) => ({ budget: { [name]: null } }) as SessionOverrides;
  return {
    ...(k == null ? {} : { k: { k: null } as SessionOverrides }),
    ...(maxTokens == null ? {} : { 'budget.maxTokens': without('maxTokens') }),
    ...(perSource == null ? {} : { 'budget.perSource': without('perSource') }),
    ...(chunksPerSource == null ? {} : { 'budget.chunksPerSource': without('chunksPerSource') }),
    ...(trust.some((tier) => (tier.k ?? tier.maxTokens) != null)
      ? { trust: { trust: trust.map(({ value }) => ({ value })) } }
      : {}),
  };
}

function merged(limits: readonly LimitName[], lifted: Lifted): SessionOverrides {
  const all: SessionOverrides = {};
  for (const part of limits.map((name) => lifted[name])) {
    const budget = { ...all.budget, ...part?.budget };
    Object.assign(all, part, Object.keys(budget).length > 0 ? { budget } : {});
  }
  return all;
}

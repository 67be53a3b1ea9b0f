/** The limits that bind an evicted chunk, alone or together, found by shaping again without them. */
import type { SessionOverrides } from '../../../src/index.js';
import { nearest } from '../search.js';
import type { Claim, LimitName } from '../types.js';
import { type EvictedCase, optionsOf } from './case.js';

/** Overrides that lift each limit. */
type Lifted = Partial<Record<LimitName, SessionOverrides>>;

/**
 * The fewest limits without which the chunk is kept, and a change of all of them. One step less of `k` or of the budget was
 * tried, and evicts it. Undefined if the input is not there, no limit is set, or a service would have to
 * be asked.
 */
export async function bindingLimits(
  it: EvictedCase,
): Promise<
  { claim: Extract<Claim, { kind: 'limits' }>; change: () => Promise<SessionOverrides> } | undefined
> {
  const lifted = liftedLimits(it);
  const names = Object.keys(lifted) as LimitName[];
  const { runs, found, signal } = it;
  if (runs === undefined || names.length === 0) return undefined;
  for (const limits of subsets(names)) {
    const isKept = await runs.keeps(found.index, merged(limits.map((name) => lifted[name])), signal);
    if (isKept === undefined) return undefined;
    if (!isKept) continue;
    return {
      claim: { kind: 'limits', limits, isEnough: true },
      change: async () => tightened(limits, lifted, it),
    };
  }
  return { claim: { kind: 'limits', limits: names, isEnough: false }, change: async () => ({}) };
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

/** The smallest first. */
function subsets<T>(all: readonly T[]): T[][] {
  const every: T[][] = [[]];
  for (const each of all) every.push(...every.map((part) => [...part, each]));
  return every.slice(1).sort((a, b) => a.length - b.length);
}

function merged(parts: readonly (SessionOverrides | undefined)[]): SessionOverrides {
  const all: SessionOverrides = {};
  for (const part of parts) {
    const budget = { ...all.budget, ...part?.budget };
    Object.assign(all, part, Object.keys(budget).length > 0 ? { budget } : {});
  }
  return all;
}

/** The same limits, with a `k` and a budget that still keep the chunk in place of none. */
async function tightened(
  limits: readonly LimitName[],
  lifted: Lifted,
  { runs, found, signal }: EvictedCase,
): Promise<SessionOverrides> {
  const values = { ...lifted };
  const axes = { k: 'k', 'budget.maxTokens': 'maxTokens' } as const;
  for (const name of limits) {
    const axis =
      name === 'k' || name === 'budget.maxTokens' ? await runs?.axis(axes[name], signal) : undefined;
    if (axis === undefined) continue;
    const change = await nearest(axis, 1, async (value) => {
      const own = { ...values, [name]: axis.overrides(value) };
      return (await runs?.keeps(found.index, merged(limits.map((each) => own[each])), signal)) || undefined;
    });
    if (change !== undefined) values[name] = axis.overrides(change.value);
  }
  return merged(limits.map((name) => values[name]));
}

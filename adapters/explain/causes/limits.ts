/** The limits that bind an evicted chunk, alone or together, found by shaping again without them. */
import type { SessionOverrides } from '../../../src/index.js';
import type { Claim, LimitName } from '../claims.js';
import { type EvictedCase, optionsOf } from './case.js';

/** What the limits are without themselves. */
type Lifted = Partial<Record<LimitName, SessionOverrides>>;

/**
 * The fewest limits without which the chunk is kept. If they are several, no change of one option may be enough; then
 * `tries` has a change of all of them: the first `k` and the first budget that a search by halves finds. Undefined if the
 * input is not there, no limit is set, or a service would have to be asked.
 */
export async function bindingLimits(
  it: EvictedCase,
): Promise<{ claim: Claim; tries: SessionOverrides[] } | undefined> {
  const lifted = liftedLimits(it);
  const names = Object.keys(lifted) as LimitName[];
  if (it.runs === undefined || names.length === 0) return undefined;
  const keeps = (overrides: SessionOverrides) => it.runs?.keeps(it.found.index, overrides, it.signal);
  for (const limits of subsets(names)) {
    const isKept = await keeps(merged(limits.map((name) => lifted[name])));
    if (isKept === undefined) return undefined;
    if (!isKept) continue;
    const claim: Claim = { kind: 'limits', limits, isEnough: true };
    return { claim, tries: limits.length === 1 ? [] : [await tightened(limits, lifted, it, keeps)] };
  }
  return { claim: { kind: 'limits', limits: names, isEnough: false }, tries: [] };
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
  { report, counterfactuals }: EvictedCase,
  keeps: (overrides: SessionOverrides) => Promise<boolean | undefined> | undefined,
): Promise<SessionOverrides> {
  const found = { ...lifted };
  const set = (name: LimitName, of: SessionOverrides) =>
    merged(limits.map((each) => (each === name ? of : found[each])));
  const tighten = async (
    name: LimitName,
    least: number | null | undefined,
    most: number | undefined,
    of: (value: number) => SessionOverrides,
  ) => {
    if (!limits.includes(name) || least == null || most === undefined || most <= least) return;
    let [fails, works] = [least, most];
    if ((await keeps(set(name, of(works)))) !== true) return;
    while (works - fails > 1) {
      const middle = Math.floor((fails + works) / 2);
      if ((await keeps(set(name, of(middle)))) === true) works = middle;
      else fails = middle;
    }
    found[name] = of(works);
  };
  const { k, maxTokens } = counterfactuals ?? {};
  await tighten('k', k?.current, report.input.length, (value) => ({ k: value }));
  await tighten('budget.maxTokens', maxTokens?.current, maxTokens?.tried.to, (value) => ({
    budget: { maxTokens: value },
  }));
  return merged(limits.map((name) => found[name]));
}

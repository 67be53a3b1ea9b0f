/** The limits that bind an evicted chunk, alone or together, found by shaping again without them. */
import type { SessionOverrides } from '../../../src/index.js';
import type { Claim, LimitName } from '../claims.js';
import { type EvictedCase, optionsOf } from './case.js';

/** Overrides that lift each limit. */
type Lifted = Partial<Record<LimitName, SessionOverrides>>;

/**
 * The fewest limits without which the chunk is kept, and a change of all of them, found by halves: one step less of `k` or
 * of the budget was tried, and evicts it. Undefined if the input is not there, no limit is set, or a service would have to
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
  const keeps: Keeps = (overrides) => runs.keeps(found.index, overrides, signal);
  for (const limits of subsets(names)) {
    const isKept = await keeps(merged(limits.map((name) => lifted[name])));
    if (isKept === undefined) return undefined;
    if (!isKept) continue;
    return {
      claim: { kind: 'limits', limits, isEnough: true },
      change: async () => tightened(limits, lifted, await topsOf(it), keeps),
    };
  }
  return { claim: { kind: 'limits', limits: names, isEnough: false }, change: async () => ({}) };
}

type Keeps = (overrides: SessionOverrides) => Promise<boolean | undefined>;

/** The value of each number in the run, and one beyond which nothing changes. */
type Tops = Partial<
  Record<LimitName, { least: number; most: number; of: (value: number) => SessionOverrides }>
>;

async function topsOf({ runs, signal }: EvictedCase): Promise<Tops> {
  const [k, budget] = [await runs?.axis('k', signal), await runs?.axis('maxTokens', signal)];
  return {
    ...(k?.current == null ? {} : { k: { least: k.current, most: k.to, of: (value) => ({ k: value }) } }),
    ...(budget?.current == null
      ? {}
      : {
          'budget.maxTokens': {
            least: budget.current,
            most: budget.to,
            of: (maxTokens) => ({ budget: { maxTokens } }),
          },
        }),
  };
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
  tops: Tops,
  keeps: Keeps,
): Promise<SessionOverrides> {
  const found = { ...lifted };
  for (const name of limits) {
    const { least = 0, most = 0, of } = tops[name] ?? {};
    if (of === undefined || most <= least) continue;
    const isKept = async (value: number) =>
      (await keeps(merged(limits.map((each) => (each === name ? of(value) : found[each]))))) === true;
    if (!(await isKept(most))) continue;
    let [fails, works] = [least, most];
    while (works - fails > 1) {
      const middle = Math.floor((fails + works) / 2);
      if (await isKept(middle)) works = middle;
      else fails = middle;
    }
    found[name] = of(works);
  }
  return merged(limits.map((name) => found[name]));
}

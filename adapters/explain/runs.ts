/**
 * The runs of one session, each made once and shared by the explanations of all its chunks, and the search for the nearest
 * value of an option that changes something.
 */
import {
  ContextShapingError,
  type ResolvedOptions,
  type SessionOverrides,
  type ShapingReport,
  type ShapingSession,
} from '../../src/index.js';
import {
  defaultStage,
  defined,
  frameTokens,
  type Inside,
  insideOf,
  loadTokenCounter,
  type Outcome,
  Pacer,
} from '../../src/internal.js';

/** The changes that change the outcome of the chunk. Every entry is a run that was made. */
export interface Counterfactuals {
  /** Absent if the stage is off that reads the option. */
  maxTokens?: KeptValues;
  k?: KeptValues;
  lambda?: KeptValues;
  maxPerCluster?: KeptValues;
  /**
   * For a cut chunk: a greater `budget.maxTokens` that keeps it whole. With one token less it is not whole. Absent if none
   * was found.
   */
  whole?: number;
  /** Whether the option `pin` with the id of the chunk keeps it. Absent for kept chunks, and if it is unknown. */
  pin?: boolean;
  /**
   * Chunks whose absence from the input, one at a time, changes the outcome: without one of them an evicted chunk is kept,
   * and a kept chunk is evicted. At most eight are tried: the chunk that stands in for it, then kept chunks: sides of a
   * conflict, then the least relevant first.
   */
  absence: { id: string; index: number }[];
  /** Number of absences at which a service would have to be asked. */
  absenceUnknown: number;
}

/** The outcomes of the chunk at some values of one option, all else unchanged. Other values were not run: they can have other outcomes. */
export interface KeptValues {
  option: 'budget.maxTokens' | 'k' | 'select.lambda' | 'cluster.maxPerCluster';
  /** The value of the run; null: no limit. */
  current: number | null;
  /**
   * A value that changes the outcome: it keeps an evicted chunk, or evicts a kept one. One step nearer to the current value,
   * the outcome is that of the run, or unknown. A step is 1, or 0.1 of `select.lambda`. Null: none was found.
   */
  nearest: number | null;
  /** The values that were run and keep the chunk, whole or cut, ascending. */
  kept: number[];
  /** The values that were run and evict it, ascending. */
  evicted: number[];
  /** The values at which a service would have to be asked, ascending. */
  unknown: number[];
}

/** The names of a chunk, kept or evicted. */
export interface Named {
  readonly id: string;
  readonly index: number;
}

/** Each absence is a run of all stages. */
const MOST_ABSENCES = 8;

export class Runs {
  readonly inside: Inside;
  readonly #outcomes = new Map<string, Outcome>();
  readonly #pacer = new Pacer();
  #report: ShapingReport | undefined;

  /** @param report of the run without changes, if it was made. */
  constructor(
    readonly session: ShapingSession,
    report?: ShapingReport,
  ) {
    this.#report = report;
    this.inside = insideOf(session) as Inside;
  }

  /** The run without changes. Services that were not asked yet are asked here, and nowhere else. */
  async report(signal?: AbortSignal): Promise<ShapingReport> {
    this.#report ??= (await this.session.at({}, defined({ signal }))).report;
    return this.#report;
  }

  /** Whether a change of options keeps the chunk. The rest is as for {@link kept}. */
  async keeps(
    index: number,
    overrides: SessionOverrides,
    signal?: AbortSignal,
    key = '',
  ): Promise<boolean | undefined> {
    return (await this.kept(overrides, signal, key))?.has(index);
  }

  /**
   * The places of the chunks that a change of options keeps. Undefined if a service would have to be asked. Options that
   * this input refuses, such as a namespace without a plain value, keep nothing.
   *
   * @param key tells functions among the overrides apart, which JSON cannot.
   */
  async kept(
    overrides: SessionOverrides,
    signal?: AbortSignal,
    key = '',
  ): Promise<Outcome['kept'] | undefined> {
    try {
      return await this.#run(`${key} ${JSON.stringify(overrides)}`, { overrides, signal });
    } catch (error) {
      const isRefused =
        ContextShapingError.isInstance(error) && ['invalid-options', 'invalid-input'].includes(error.kind);
      if (isRefused) return new Map();
      throw error;
    }
  }

  async #run(name: string, change: Parameters<Inside['outcome']>[0]): Promise<Outcome['kept'] | undefined> {
    change.signal?.throwIfAborted();
    const outcome = this.#outcomes.get(name) ?? (await this.inside.outcome(change));
    this.#outcomes.set(name, outcome);
    if (this.#pacer.due()) await this.#pacer.pause();
    return outcome.isUnknown ? undefined : outcome.kept;
  }

  /** The values of an option that matter. Undefined if no stage reads it. */
  async axis(name: AxisName, signal?: AbortSignal): Promise<Axis | undefined> {
    return axisOf(name, this.session.options, await this.report(signal));
  }

  /** Everything that changes the outcome of one chunk. */
  async counterfactuals({ id, index }: Named, signal?: AbortSignal): Promise<Counterfactuals> {
    const report = await this.report(signal);
    const entry = report.kept.find((each) => each.index === index);
    const isKept = entry !== undefined;
    const values: Pick<Counterfactuals, AxisName> = {};
    for (const name of AXES) {
      const axis = await this.axis(name, signal);
      if (axis !== undefined) values[name] = await this.#values(axis, index, isKept, signal);
    }
    const { pin } = this.session.options;
    const pinned: SessionOverrides['pin'] =
      typeof pin === 'function' ? (chunk) => chunk.id === id || pin(chunk) : [...pin, id];
    const absence: Named[] = [];
    let absenceUnknown = 0;
    for (const other of standing(report, index)) {
      const kept = await this.#run(`without ${other.index}`, { without: [other.index], signal });
      if (kept === undefined) absenceUnknown++;
      else if (kept.has(index) !== isKept) absence.push({ id: other.id, index: other.index });
    }
    return {
      ...values,
      ...defined({
        whole: entry?.excerpts === undefined ? undefined : await this.#whole(index, signal),
        pin: isKept
          ? undefined
          : await this.keeps(index, { pin: pinned }, signal, `pin ${JSON.stringify(id)}`),
      }),
      absence: absence.sort((a, b) => a.index - b.index),
      absenceUnknown,
    };
  }

  /** A kept chunk goes with less, else with more; an evicted one comes back with more. A weight works both ways. */
  async #values(axis: Axis, index: number, isKept: boolean, signal?: AbortSignal): Promise<KeptValues> {
    const tried = new Map<number, boolean | undefined>();
    const changes = async (value: number) => {
      const keeps = await this.keeps(index, axis.overrides(value), signal);
      tried.set(value, keeps);
      return keeps === !isKept || undefined;
    };
    const isWeight = axis.option === 'select.lambda';
    const found =
      (isKept ? undefined : await nearest(axis, 1, changes)) ??
      (isKept || isWeight ? await nearest(axis, -1, changes) : undefined) ??
      (isKept ? await nearest(axis, 1, changes) : undefined);
    const valuesThat = (keeps: boolean | undefined) =>
      [...tried.keys()].filter((value) => tried.get(value) === keeps).sort((a, b) => a - b);
    return {
      ...{ option: axis.option, current: axis.current, nearest: found?.value ?? null },
      ...{ kept: valuesThat(true), evicted: valuesThat(false), unknown: valuesThat(undefined) },
    };
  }

  async #whole(index: number, signal?: AbortSignal): Promise<number | undefined> {
    const axis = (await this.axis('maxTokens', signal)) as Axis;
    const isWhole = async (value: number) =>
      (await this.kept(axis.overrides(value), signal))?.get(index) === 'whole' || undefined;
    return (await nearest(axis, 1, isWhole))?.value;
  }
}

/** The other chunks whose absence is tried, in the order of {@link Counterfactuals.absence}. */
function standing({ kept, evicted, conflicts }: ShapingReport, index: number): Named[] {
  const own = evicted.find((each) => each.index === index);
  const standIn = own !== undefined && 'keptId' in own ? own.keptId : undefined;
  const sides = new Set(conflicts.flatMap(({ sides }) => sides.flatMap(({ indices }) => indices)));
  const order = ({ id, index, relevance = 1 }: Named & { relevance?: number | undefined }) =>
    id === standIn ? -2 : sides.has(index) ? -1 : relevance;
  return [...kept, ...evicted.filter(({ id }) => id === standIn)]
    .filter((each) => each.index !== index)
    .sort((a, b) => order(a) - order(b) || a.index - b.index)
    .slice(0, MOST_ABSENCES);
}

/** The options that are varied. */
export const AXES = ['maxTokens', 'k', 'lambda', 'maxPerCluster'] as const;
type AxisName = (typeof AXES)[number];

/** The values of one option. */
interface Axis extends Pick<KeptValues, 'option' | 'current'> {
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
async function axisOf(
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

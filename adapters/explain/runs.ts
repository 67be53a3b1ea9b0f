/**
 * The runs of one session, each made once and shared by the explanations of all its chunks, and the search for the nearest
 * value of an option that changes something.
 */
import {
  ContextShapingError,
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

/** The changes of one option that change the outcome of the chunk. Every value is a run that was made. */
export interface Counterfactuals {
  maxTokens?: NearestValue;
  /** Absent if no stage reads the option. */
  k?: NearestValue;
  /** Whether the option `pin` with the id of the chunk keeps it. Absent for kept chunks, and if it is unknown. */
  pin?: boolean;
}

/** The value of one option that changes the outcome of the chunk, all else unchanged. */
export interface NearestValue {
  option: 'budget.maxTokens' | 'k';
  /** The value of the run; null: no limit. */
  current: number | null;
  /**
   * A value that changes the outcome: it keeps an evicted chunk, or evicts a kept one. One nearer to the current value, the
   * outcome is that of the run, or a service would have to be asked. Null: none was found.
   */
  nearest: number | null;
}

/** The options that are varied alone. */
export const AXES = ['maxTokens', 'k'] as const;
type AxisName = (typeof AXES)[number];

export class Runs {
  readonly #inside: Inside;
  readonly #outcomes = new Map<string, Outcome>();
  readonly #pacer = new Pacer();
  #report: ShapingReport | undefined;

  /** @param report of the run without changes, if it was made. */
  constructor(
    readonly session: ShapingSession,
    report?: ShapingReport,
  ) {
    this.#report = report;
    this.#inside = insideOf(session) as Inside;
  }

  /** The run without changes. Services that were not asked yet are asked here, and nowhere else. */
  async report(signal?: AbortSignal): Promise<ShapingReport> {
    this.#report ??= (await this.session.at({}, defined({ signal }))).report;
    return this.#report;
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
    signal?.throwIfAborted();
    const name = `${key} ${JSON.stringify(overrides)}`;
    try {
      const outcome = this.#outcomes.get(name) ?? (await this.#inside.outcome({ overrides, signal }));
      this.#outcomes.set(name, outcome);
      if (this.#pacer.due()) await this.#pacer.pause();
      return outcome.isUnknown ? undefined : outcome.kept;
    } catch (error) {
      const isRefused =
        ContextShapingError.isInstance(error) && ['invalid-options', 'invalid-input'].includes(error.kind);
      if (isRefused) return new Map();
      throw error;
    }
  }

  /** Everything that changes the outcome of one chunk. */
  async counterfactuals(
    { id, index }: { id: string; index: number },
    signal?: AbortSignal,
  ): Promise<Counterfactuals> {
    const entry = (await this.report(signal)).kept.find((each) => each.index === index);
    const values: Pick<Counterfactuals, AxisName> = {};
    for (const name of AXES) {
      const axis = await this.#axis(name, signal);
      if (axis !== undefined) values[name] = await this.#nearest(axis, index, entry !== undefined, signal);
    }
    if (entry !== undefined) return values;
    const { pin } = this.session.options;
    const pinned: SessionOverrides['pin'] =
      typeof pin === 'function' ? (chunk) => chunk.id === id || pin(chunk) : [...pin, id];
    const kept = await this.kept({ pin: pinned }, signal, `pin ${JSON.stringify(id)}`);
    return { ...values, ...defined({ pin: kept?.has(index) }) };
  }

  /** A kept chunk goes with less, else with more; an evicted one comes back with more. */
  async #nearest(axis: Axis, index: number, isKept: boolean, signal?: AbortSignal): Promise<NearestValue> {
    const changes = async (value: number) =>
      (await this.kept(axis.overrides(value), signal))?.has(index) === !isKept;
    const found =
      (isKept ? await nearest(axis, -1, changes) : undefined) ?? (await nearest(axis, 1, changes));
    return { option: axis.option, current: axis.current, nearest: found ?? null };
  }

  /** The values of an option that matter. Undefined if no stage reads it. */
  async #axis(name: AxisName, signal?: AbortSignal): Promise<Axis | undefined> {
    const report = await this.report(signal);
    const { k, select } = this.session.options;
    if (name === 'maxTokens') return this.#budget(report);
    if (select === false) return undefined;
    return {
      ...{ option: 'k', current: k ?? null, from: 1, to: Math.max(1, report.input.length) },
      overrides: (k) => ({ k }),
    };
  }

  /**
   * Budgets run from the least that the options allow, `reserve` + 1, to the tokens of all chunks that reach a limit,
   * `reserve`, and the text around the passages. There all of these chunks fit at once, so more changes nothing, unless
   * sources or tiers have limits of tokens.
   */
  async #budget(report: ShapingReport): Promise<Axis> {
    const { budget, frame, tokenizer } = this.session.options;
    const around = frame === false ? 0 : frameTokens({ frame }, await loadTokenCounter(tokenizer));
    const from = budget.reserve + 1;
    // These chunks go with every budget.
    const gone = report.evicted.filter(({ stage }) => defaultStage(stage)?.acts === 'always');
    const wanted = gone.reduce((sum, { tokens }) => sum - tokens, report.tokens.input);
    return {
      ...{ option: 'budget.maxTokens', current: budget.maxTokens ?? null, from },
      to: Math.max(from, wanted + budget.reserve + around),
      overrides: (maxTokens) => ({ budget: { maxTokens } }),
    };
  }
}

/** The values of one option. */
interface Axis {
  readonly option: NearestValue['option'];
  /** Null: no limit. */
  readonly current: number | null;
  readonly from: number;
  readonly to: number;
  readonly overrides: (value: number) => SessionOverrides;
}

/**
 * A value at which a test holds, above or below the current one: the distance is doubled until it does, then halved. So
 * one step nearer it did not hold. It may hold at values between that were not tried.
 */
async function nearest(
  { current, from, to }: Axis,
  direction: 1 | -1,
  holdsAt: (value: number) => Promise<boolean>,
): Promise<number | undefined> {
  // No limit, and all values beyond the last, count as the next one.
  const start = Math.min(current ?? Number.POSITIVE_INFINITY, to + 1);
  const most = direction * ((direction > 0 ? to : from) - start);
  const valueAt = (steps: number) => start + direction * steps;
  let [fails, works, isFound] = [0, 0, false];
  for (let steps = 1; !isFound && works < most; steps *= 2) {
    [fails, works] = [works, Math.min(steps, most)];
    isFound = await holdsAt(valueAt(works));
  }
  while (isFound && works - fails > 1) {
    const middle = Math.floor((fails + works) / 2);
    if (await holdsAt(valueAt(middle))) works = middle;
    else fails = middle;
  }
  return isFound ? valueAt(works) : undefined;
}

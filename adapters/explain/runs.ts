/** The runs of one session, each made once and shared by the explanations of all its chunks. */
import {
  ContextShapingError,
  type SessionOverrides,
  type ShapingReport,
  type ShapingSession,
} from '../../src/index.js';
import { defined, type Inside, insideOf, type Outcome, Pacer } from '../../src/internal.js';
import type { Counterfactuals, KeptValues } from './counterfactuals.js';
import { type Axis, type AxisName, axisOf, nearest } from './search.js';

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
    for (const name of ['maxTokens', 'k', 'lambda', 'maxPerCluster'] as const) {
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

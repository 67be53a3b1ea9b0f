/** The runs of one session, each made once and shared by the explanations of all its chunks. */
import {
  ContextShapingError,
  type SessionOverrides,
  type ShapingReport,
  type ShapingSession,
} from '../../src/index.js';
import { type Inside, insideOf, type LimitOverrides, type Outcome } from '../../src/internal.js';
import { budgetAxis, clusterAxis, kAxis, lambdaAxis } from './axes.js';
import type { Counterfactuals, KeptRanges } from './counterfactuals.js';
import { type Axis, Sweep } from './sweep.js';

type AxisName = keyof Pick<Counterfactuals, 'maxTokens' | 'k' | 'lambda' | 'maxPerCluster'>;

/** The names of a chunk, kept or evicted. */
export interface Named {
  readonly id: string;
  readonly index: number;
}

export class Runs {
  readonly inside: Inside;
  readonly #outcomes = new Map<string, Outcome>();
  readonly #sweeps = new Map<AxisName, Sweep>();
  #report: ShapingReport | undefined;

  constructor(readonly session: ShapingSession) {
    this.inside = insideOf(session) as Inside;
  }

  /** The run without changes. Services that were not asked yet are asked here, and nowhere else. */
  async report(signal?: AbortSignal): Promise<ShapingReport> {
    this.#report ??= (await this.session.at({}, given(signal))).report;
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
    const name = `${key} ${JSON.stringify(overrides)}`;
    const known = this.#outcomes.get(name);
    try {
      // Changes of limits alone share the run of the stages that no limit changes.
      const isLimits = Object.keys(overrides).every((option) => option === 'k' || option === 'budget');
      const change = isLimits ? { limits: overrides as LimitOverrides } : { overrides };
      const outcome = known ?? (await this.inside.outcome({ ...change, ...given(signal) }));
      this.#outcomes.set(name, outcome);
      return outcome.isUnknown ? undefined : outcome.kept;
    } catch (error) {
      if (isRefused(error)) return new Map();
      throw error;
    }
  }

  /** Whether the chunk is kept if another chunk is not there. Undefined if a service would have to be asked. */
  async keepsWithout(index: number, other: number, signal?: AbortSignal): Promise<boolean | undefined> {
    const name = `without ${other}`;
    const known = this.#outcomes.get(name);
    const outcome = known ?? (await this.inside.outcome({ without: [other], ...given(signal) }));
    this.#outcomes.set(name, outcome);
    return outcome.isUnknown ? undefined : outcome.kept.has(index);
  }

  /** The ranges of an option at which the chunk is kept. Undefined if no stage reads the option. */
  async ranges(name: AxisName, index: number, signal?: AbortSignal): Promise<KeptRanges | undefined> {
    let sweep = this.#sweeps.get(name);
    if (sweep === undefined) {
      const axis = await this.axis(name, signal);
      if (axis === undefined) return undefined;
      sweep = new Sweep(axis, (limits, own) => this.inside.outcome({ limits, ...given(own) }));
      this.#sweeps.set(name, sweep);
    }
    return sweep.of(index, signal);
  }

  /** The values of an option that matter. Undefined if no stage reads it. */
  async axis(name: AxisName, signal?: AbortSignal): Promise<Axis | undefined> {
    const { options } = this.session;
    const report = await this.report(signal);
    switch (name) {
      case 'maxTokens':
        return budgetAxis(options, report);
      case 'k':
        return kAxis(options, report.input.length);
      case 'lambda':
        return lambdaAxis(options);
      case 'maxPerCluster':
        return clusterAxis(options, report.input.length);
    }
  }

  /** Everything that changes the outcome of one chunk. */
  async counterfactuals(chunk: Named, signal?: AbortSignal): Promise<Counterfactuals> {
    const { index } = chunk;
    const report = await this.report(signal);
    const isKept = report.kept.some((entry) => entry.index === index);
    const ranges: Pick<Counterfactuals, AxisName> = {};
    for (const name of ['maxTokens', 'k', 'lambda', 'maxPerCluster'] as const) {
      const own = await this.ranges(name, index, signal);
      if (own !== undefined) ranges[name] = own;
    }
    const pin = isKept ? undefined : await this.#keepsPinned(chunk, signal);
    const absence: Named[] = [];
    let absenceUnknown = 0;
    for (const other of standing(report)) {
      if (other.index === index) continue;
      const keeps = await this.keepsWithout(index, other.index, signal);
      if (keeps === undefined) absenceUnknown++;
      else if (keeps !== isKept) absence.push({ id: other.id, index: other.index });
    }
    return { ...ranges, ...(pin === undefined ? {} : { pin }), absence, absenceUnknown };
  }

  #keepsPinned({ id, index }: Named, signal?: AbortSignal): Promise<boolean | undefined> {
    const { pin } = this.session.options;
    const pinned: SessionOverrides['pin'] =
      typeof pin === 'function' ? (chunk) => chunk.id === id || pin(chunk) : [...pin, id];
    return this.keeps(index, { pin: pinned }, signal, `pin ${JSON.stringify(id)}`);
  }
}

const isRefused = (error: unknown) =>
  ContextShapingError.isInstance(error) && ['invalid-options', 'invalid-input'].includes(error.kind);

const given = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal });

/** The kept chunks, and the evicted ones that stood in for a copy, in input order. */
function standing({ kept, evicted }: ShapingReport): Named[] {
  const standIns = new Set(evicted.flatMap((each) => ('keptId' in each ? [each.keptId] : [])));
  return [...kept, ...evicted.filter(({ id }) => standIns.has(id))].sort((a, b) => a.index - b.index);
}

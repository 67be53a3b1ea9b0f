/** All runs along one option. One sweep serves every chunk of the input. */
import { type LimitOverrides, type Outcome, Pacer } from '../../src/internal.js';
import type { KeptRanges } from './counterfactuals.js';

/** The values of one option that are tried, ascending. */
export interface Axis {
  readonly option: KeptRanges['option'];
  readonly current: number | null;
  readonly from: number;
  readonly to: number;
  /** Steps in one unit: 1 for whole numbers, 100 for hundredths. */
  readonly perUnit: number;
  /** Whether it is proved that no value beyond `to` changes anything. */
  readonly isOpen: boolean;
  /** Up to this value, all runs are equal to the first one. */
  readonly equalUpTo: number;
  readonly overrides: (value: number) => LimitOverrides;
}

type Span = [first: number, last: number];

/**
 * Runs the values in turn, as far as they are asked for. An abort leaves it as it is, and the next call continues.
 */
export class Sweep {
  readonly #whole = new Map<number, Span[]>();
  readonly #kept = new Map<number, Span[]>();
  #unknown = 0;
  #next = 0;

  constructor(
    readonly axis: Axis,
    readonly run: (value: number, signal?: AbortSignal) => Promise<Outcome>,
  ) {}

  /** The ranges of one chunk, after all values were run. */
  async of(index: number, signal?: AbortSignal): Promise<KeptRanges> {
    await this.#finish(signal);
    const { option, current, from, to, perUnit, isOpen } = this.axis;
    const kept = this.#kept.get(index) ?? [];
    return {
      option,
      current,
      tried: { from, to, step: 1 / perUnit },
      kept: kept.map(([first, last]) => [
        this.#value(first),
        isOpen && this.#value(last) === to ? null : this.#value(last),
      ]),
      ...this.#bounds(kept),
      whole: this.#bounds(this.#whole.get(index) ?? []),
      unknown: this.#unknown,
    };
  }

  #value(step: number): number {
    const { from, perUnit } = this.axis;
    return (Math.round(from * perUnit) + step) / perUnit;
  }

  #bounds(spans: readonly Span[]): { least: number | null; always: number | null } {
    const [first, last] = [spans[0], spans.at(-1)];
    const reachesEnd = last !== undefined && this.#value(last[1]) === this.axis.to;
    return {
      least: first === undefined ? null : this.#value(first[0]),
      always: reachesEnd && this.#isComplete ? this.#value(last[0]) : null,
    };
  }

  /** Whether the tried values are all values of the option, or stand for all greater ones. */
  get #isComplete(): boolean {
    return this.axis.isOpen || this.axis.option === 'select.lambda';
  }

  async #finish(signal?: AbortSignal): Promise<void> {
    const pacer = new Pacer(signal);
    while (this.#value(this.#next) <= this.axis.to) {
      signal?.throwIfAborted();
      const step = this.#next;
      const value = this.#value(step);
      const outcome = await this.run(value, signal);
      // Another call may have run this value meanwhile.
      if (step === this.#next) this.#record(step, this.#lastEqual(value, outcome), outcome);
      if (pacer.due()) await pacer.pause();
    }
  }

  /** The last value whose run is proved to be equal to that of this one. */
  #lastEqual(value: number, { slack }: Outcome): number {
    const { option, equalUpTo, to } = this.axis;
    return option === 'budget.maxTokens' ? Math.min(to, Math.max(value, equalUpTo) + slack) : value;
  }

  #record(first: number, lastValue: number, outcome: Outcome): void {
    const span: Span = [first, first + Math.round((lastValue - this.#value(first)) * this.axis.perUnit)];
    this.#next = span[1] + 1;
    if (outcome.isUnknown) {
      this.#unknown += this.#next - first;
      return;
    }
    for (const [index, form] of outcome.kept) {
      extend(this.#kept, index, span);
      if (form === 'whole') extend(this.#whole, index, span);
    }
  }
}

function extend(spans: Map<number, Span[]>, index: number, [first, end]: Span): void {
  const own = spans.get(index) ?? [];
  const last = own.at(-1);
  if (last !== undefined && last[1] === first - 1) last[1] = end;
  else own.push([first, end]);
  spans.set(index, own);
}

/** The values of the sliders, and those of a run. */
import type { ShapingReport } from 'context-shaping';

export interface Range {
  /** The values at which the slider stops, ascending. */
  stops: readonly number[];
  /** Whether the greatest value stands for no limit. */
  isLimit: boolean;
}

export interface Values {
  maxTokens: number | null;
  k: number | null;
  /** Undefined if the stage `select` is off. */
  lambda: number | undefined;
}

interface Options {
  budget?: { maxTokens?: number | null; reserve?: number };
  k?: number | null;
  select?: { lambda?: number } | false;
}

/** From one stop of the budget to the next. */
const GROWTH = 1.05;

export function rangesOf(report: ShapingReport): Record<keyof Values, Range> {
  const { reserve = 0 } = (report.options as Options).budget ?? {};
  const { maxTokens, k } = currentOf(report);
  // At the greatest value everything fits: one more than all tokens and the reserve.
  const most = Math.max(maxTokens ?? 0, report.tokens.input + reserve) + 1;
  return {
    maxTokens: { stops: growing(most - reserve).map((each) => each + reserve), isLimit: true },
    k: { stops: upTo(Math.max(report.input.length, k ?? 0) + 1), isLimit: true },
    lambda: { stops: [0, ...upTo(100)].map((each) => each / 100), isLimit: false },
  };
}

const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1);

/** Whole numbers from 1, which grow by a constant factor once that is more than 1. */
function growing(last: number): number[] {
  const stops: number[] = [];
  for (let next = 1; next < last; next = Math.max(next + 1, Math.round(next * GROWTH))) stops.push(next);
  return [...stops, last];
}

/** The place of the stop that is nearest to a value; of two, the lesser one. */
export function stopOf({ stops }: Range, value: number): number {
  const distance = (at: number) => Math.abs((stops[at] as number) - value);
  return stops.reduce((best, _, at) => (distance(at) < distance(best) ? at : best), 0);
}

export function currentOf({ options }: ShapingReport): Values {
  const { budget, k, select } = options as Options;
  return {
    maxTokens: budget?.maxTokens ?? null,
    k: k ?? null,
    lambda: select === false ? undefined : select?.lambda,
  };
}

/** The ranges of the sliders, and the values of a run. */
import type { ShapingReport } from 'context-shaping';

export interface Range {
  min: number;
  max: number;
  step: number;
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

export function rangesOf(report: ShapingReport): Record<keyof Values, Range> {
  const { reserve = 0 } = (report.options as Options).budget ?? {};
  const { maxTokens } = currentOf(report);
  return {
    maxTokens: {
      min: reserve + 1,
      // At the greatest value everything fits: one more than all tokens and the reserve.
      max: Math.max(maxTokens ?? 0, report.tokens.input + reserve) + 1,
      step: 1,
      isLimit: true,
    },
    k: { min: 1, max: Math.max(report.input.length, currentOf(report).k ?? 0) + 1, step: 1, isLimit: true },
    lambda: { min: 0, max: 1, step: 0.01, isLimit: false },
  };
}

export function currentOf({ options }: ShapingReport): Values {
  const { budget, k, select } = options as Options;
  return {
    maxTokens: budget?.maxTokens ?? null,
    k: k ?? null,
    lambda: select === false ? undefined : select?.lambda,
  };
}

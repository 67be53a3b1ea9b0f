/** The way of the chunks through the stages, with their tokens, and the reasons of those that were left out. */
import type { Eviction, ShapingReport } from 'context-shaping';
import meanings from './reasons.json' with { type: 'json' };

export interface Step {
  name: string;
  chunks: { before: number; after: number };
  tokens: { before: number; after: number };
  /** Tokens that were cut from kept chunks. */
  cut: number;
}

/**
 * Each stage with the chunks and tokens that it leaves. Tokens cut from kept chunks are counted at `extract`, or at
 * `budget` if that does not run.
 */
export function stepsOf(report: ShapingReport): Step[] {
  const sum = (evicted: readonly Eviction[]) => evicted.reduce((all, { tokens }) => all + tokens, 0);
  const cut = Math.max(0, report.tokens.input - sum(report.evicted) - report.tokens.output);
  const cutter = report.stages.some(({ name }) => name === 'extract') ? 'extract' : 'budget';
  let before = report.tokens.input;
  return report.stages.map(({ name, input, kept }) => {
    const own = name === cutter ? cut : 0;
    const after = before - own - sum(report.evicted.filter(({ stage }) => stage === name));
    const step = { name, chunks: { before: input, after: kept }, tokens: { before, after }, cut: own };
    before = after;
    return step;
  });
}

export interface ReasonCount {
  reason: string;
  /** Empty for a reason that the documents do not have. */
  meaning: string;
  chunks: number;
}

/** The reasons in the order in which chunks were evicted. */
export function reasonsOf(evicted: readonly Eviction[]): ReasonCount[] {
  const counts = new Map<string, number>();
  for (const { reason } of evicted) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return Array.from(counts, ([reason, chunks]) => ({
    reason,
    meaning: (meanings as Readonly<Record<string, string>>)[reason] ?? '',
    chunks,
  }));
}

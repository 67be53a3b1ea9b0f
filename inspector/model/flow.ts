/** The way of the chunks through the stages, with their tokens. */
import type { Eviction, ShapingReport } from 'context-shaping';

export interface Step {
  name: string;
  chunks: { before: number; after: number };
  tokens: { before: number; after: number };
  /** Tokens that were cut from kept chunks. */
  cut: number;
  /** Evictions by reason, the most tokens first. */
  reasons: { reason: Eviction['reason']; chunks: number; tokens: number }[];
}

/**
 * Each stage with the chunks and tokens that it leaves. Tokens cut from kept chunks are counted at `extract`, or at
 * `budget` if that does not run.
 */
export function stepsOf(report: ShapingReport): Step[] {
  const lost = report.evicted.reduce((sum, { tokens }) => sum + tokens, 0);
  const cut = Math.max(0, report.tokens.input - lost - report.tokens.output);
  const cutter = report.stages.some(({ name }) => name === 'extract') ? 'extract' : 'budget';
  let before = report.tokens.input;
  return report.stages.map(({ name, input, kept }) => {
    const reasons = byReason(report.evicted.filter(({ stage }) => stage === name));
    const own = name === cutter ? cut : 0;
    const after = before - reasons.reduce((sum, { tokens }) => sum + tokens, own);
    const step = {
      name,
      chunks: { before: input, after: kept },
      tokens: { before, after },
      cut: own,
      reasons,
    };
    before = after;
    return step;
  });
}

function byReason(evictions: readonly Eviction[]): Step['reasons'] {
  const found = new Map<Eviction['reason'], { chunks: number; tokens: number }>();
  for (const { reason, tokens } of evictions) {
    const sum = found.get(reason) ?? { chunks: 0, tokens: 0 };
    found.set(reason, { chunks: sum.chunks + 1, tokens: sum.tokens + tokens });
  }
  return Array.from(found, ([reason, sum]) => ({ reason, ...sum })).sort((a, b) => b.tokens - a.tokens);
}

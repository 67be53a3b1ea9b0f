/** How much each line of a log is needed to see the failure and the end. */
import { isSection, type Signal, signalIn } from './log-signals.js';
import type { LogLine } from './log-templates.js';

/** The priority of a line with a signal, and how much of it is lost if there are many lines of its form. */
const SIGNALS: Readonly<Record<Signal, { own: number; common: number; before: number; after: number }>> = {
  verdict: { own: 0.95, common: 0.1, before: 10, after: 3 },
  count: { own: 0.93, common: 0.2, before: 2, after: 2 },
  'failed-test': { own: 0.92, common: 0.1, before: 1, after: 8 },
  error: { own: 0.85, common: 0.3, before: 3, after: 8 },
  trouble: { own: 0.55, common: 0.6, before: 1, after: 2 },
  warning: { own: 0.3, common: 0.6, before: 0, after: 1 },
  'passed-test': { own: 0.02, common: 0, before: 0, after: 0 },
};
const LAST_LINES = 30;

export interface RatedLine {
  readonly priority: number;
  readonly signal: Signal | undefined;
}

/** @param lastLines so many lines at the end are wanted. */
export function rateLines(lines: readonly LogLine[], lastLines = LAST_LINES): RatedLine[] {
  const counts = countsOf(lines.map(({ form }) => form));
  const signals = lines.map(({ line, form }) => (form === '' ? undefined : signalIn(line, form)));
  const priorities = lines.map(() => 0);
  const raise = (at: number, priority: number) => {
    if (lines[at] !== undefined) priorities[at] = Math.max(priorities[at] as number, priority);
  };
  const verdict = signals.lastIndexOf('verdict');
  const seen = new Map<string, number>();
  let section = -1;
  for (const [at, { line, form }] of lines.entries()) {
    const count = counts.get(form) as number;
    const before = seen.get(form) ?? 0;
    seen.set(form, before + 1);
    raise(at, 0.15 / (1 + Math.log2(count)) / (1 + before));
    if (isSection(line)) {
      section = at;
      raise(at, 0.25 / (1 + before));
    }
    const signal = signals[at];
    if (signal === undefined) continue;
    const of = SIGNALS[signal];
    const common = 1 - of.common * Math.min(1, Math.log2(count) / 8);
    const own = (of.own * common) / (1 + before / 2);
    raise(at, own);
    for (let back = 1; back <= of.before; back++) raise(at - back, own * (0.95 - 0.05 * back));
    for (let on = 1; on <= of.after; on++) raise(at + on, own * (0.95 - 0.04 * on));
    if (of.own > 0.8) raise(section, own * 0.8);
  }
  const last = lines.findLastIndex(({ form }) => form !== '');
  const end = verdict < 0 ? last : verdict;
  for (let back = 0; back < lastLines; back++) raise(end - back, 0.85 - (0.4 * back) / lastLines);
  for (let back = 0; back < 2; back++) raise(last - back, 0.5);
  for (let on = 0; on < 2; on++) raise(on, 0.5);
  const said = new Map<string, number>();
  return lines.map(({ template, form }, at) => {
    const before = said.get(template) ?? 0;
    said.set(template, before + 1);
    // A test that passes explains nothing near it.
    const most = form === '' ? 0 : signals[at] === 'passed-test' ? SIGNALS['passed-test'].own : 1;
    const priority = Math.min(most, priorities[at] as number) / (1 + before);
    return { priority, signal: signals[at] };
  });
}

export function countsOf<Value>(values: readonly Value[]): ReadonlyMap<Value, number> {
  const counts = new Map<Value, number>();
  for (const each of values) counts.set(each, (counts.get(each) ?? 0) + 1);
  return counts;
}

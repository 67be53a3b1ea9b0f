import { messageOf, rethrowControlFlow } from './errors.js';
import type { ResolvedOptions } from './input/options.js';
import { withDegradation } from './report/report.js';
import { orAborted, withDeadline } from './runtime/abort.js';
import type { Degradation, ShapingReport, StageEvent } from './types.js';

/** Calls the observers of the finished report. A throwing observer never loses documents: the report records the failure. */
export async function tellObservers(
  report: ShapingReport,
  { onEvict, onReport }: Pick<ResolvedOptions, 'onEvict' | 'onReport'>,
  signal: AbortSignal | undefined,
): Promise<ShapingReport> {
  const failures: Degradation[] = [];
  if (onEvict !== undefined)
    for (const eviction of report.evicted)
      failures.push(...(await failuresOf('onEvict', 'report', () => onEvict(eviction), signal)));
  // One seal for all failures, because each reads the whole report.
  let told = failures.length === 0 ? report : withDegradation(report, failures);
  if (onReport !== undefined) {
    const final = told;
    const late = await failuresOf('onReport', 'report', () => onReport(final), signal);
    if (late.length > 0) told = withDegradation(told, late);
  }
  signal?.throwIfAborted();
  return told;
}

/** Calls the observer of stages, if there is one, with a copy, because the evictions go into the report later. */
export async function tellStage(
  event: StageEvent,
  { onStage }: Pick<ResolvedOptions, 'onStage'>,
  signal: AbortSignal | undefined,
): Promise<readonly Degradation[]> {
  if (onStage === undefined) return [];
  return failuresOf('onStage', event.name, () => onStage(structuredClone(event)), signal);
}

async function failuresOf(
  name: string,
  stage: string,
  observer: () => void | Promise<void>,
  signal: AbortSignal | undefined,
): Promise<readonly Degradation[]> {
  try {
    await orAborted(Promise.resolve(observer()), signal);
    return [];
  } catch (error) {
    rethrowControlFlow(error, signal);
    return [{ stage, code: 'observer-failed', message: `${name} threw: ${messageOf(error)}` }];
  }
}

type Observers = Pick<ResolvedOptions, 'onEvict' | 'onReport' | 'onStage'>;

/**
 * The same observers for one call, with a common time limit of `deadlineMs`. The time of services does not count
 * towards it. After the limit, each observer is still called, but nothing waits for it.
 */
export function patient({
  onEvict,
  onReport,
  onStage,
  deadlineMs,
}: Partial<Observers> & { deadlineMs?: number | null | undefined }): Observers {
  let left = deadlineMs ?? Number.POSITIVE_INFINITY;
  const bounded = <T>(observer: ((told: T) => void | Promise<void>) | undefined) =>
    observer &&
    ((told: T) => {
      const answer = observer(told);
      // A promise of any realm.
      const isWaitedFor = typeof (answer as Partial<Promise<void>> | undefined)?.then === 'function';
      return isWaitedFor && left !== Number.POSITIVE_INFINITY ? inTime(Promise.resolve(answer)) : answer;
    });
  const inTime = async (answer: Promise<void>) => {
    const began = performance.now();
    const { signal, clear } = withDeadline(undefined, left, deadlineMs);
    try {
      await orAborted(answer, signal);
    } finally {
      clear();
      left = Math.max(0, left - (performance.now() - began));
    }
  };
  return { onEvict: bounded(onEvict), onReport: bounded(onReport), onStage: bounded(onStage) };
}

import { messageOf, rethrowControlFlow } from './errors.js';
import type { ResolvedOptions } from './input/options.js';
import type { StageEvent } from './pipeline.js';
import { type ShapingReport, withDegradation } from './report/report.js';
import { orAborted, withDeadline } from './runtime/abort.js';
import type { Degradation } from './types.js';

/** Tells the observers of the end. One that throws costs no document: the report says that it failed. */
export async function tellObservers(
  report: ShapingReport,
  { onEvict, onReport }: Pick<ResolvedOptions, 'onEvict' | 'onReport'>,
  signal: AbortSignal | undefined,
): Promise<ShapingReport> {
  const failures: Degradation[] = [];
  if (onEvict !== undefined)
    for (const eviction of report.evicted)
      failures.push(...(await failuresOf('onEvict', 'report', () => onEvict(eviction), signal)));
  // Sealed once for all of them: it reads the whole report.
  let told = failures.length === 0 ? report : withDegradation(report, failures);
  if (onReport !== undefined) {
    const final = told;
    const late = await failuresOf('onReport', 'report', () => onReport(final), signal);
    if (late.length > 0) told = withDegradation(told, late);
  }
  signal?.throwIfAborted();
  return told;
}

/** Tells the observer of stages, if there is one, on a copy: the evictions are still to go into the report. */
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
 * The same observers, for one call: all together they are waited for no longer than `deadlineMs`, which is theirs
 * alone, however long services took. Then each is still told, and the next one does not wait for it.
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
      // Of any realm.
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

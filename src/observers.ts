import { orAborted } from './abort.js';
import { messageOf, rethrowControlFlow } from './errors.js';
import type { ResolvedOptions } from './options.js';
import type { StageEvent } from './pipeline.js';
import { type ShapingReport, withDegradation } from './report.js';
import type { Degradation } from './types.js';

/** Tells the observers of the end. One that throws costs no document: the report says that it failed. */
export async function tellObservers(
  report: ShapingReport,
  { onEvict, onReport }: Pick<ResolvedOptions, 'onEvict' | 'onReport'>,
  signal: AbortSignal | undefined,
): Promise<ShapingReport> {
  let told = report;
  const call = async (name: string, observer: () => void | Promise<void>) => {
    for (const failure of await failuresOf(name, 'report', observer, signal))
      told = withDegradation(told, failure);
  };
  if (onEvict !== undefined)
    for (const eviction of report.evicted) await call('onEvict', () => onEvict(eviction));
  if (onReport !== undefined) {
    const final = told;
    await call('onReport', () => onReport(final));
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

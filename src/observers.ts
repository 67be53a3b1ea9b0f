import { orAborted } from './abort.js';
import { messageOf, rethrowControlFlow } from './errors.js';
import type { ResolvedOptions } from './options.js';
import { type ShapingReport, withDegradation } from './report.js';

/** Tells the observers. One that throws costs no document: the report says that it failed. */
export async function tellObservers(
  report: ShapingReport,
  { onEvict, onReport }: Pick<ResolvedOptions, 'onEvict' | 'onReport'>,
  signal: AbortSignal | undefined,
): Promise<ShapingReport> {
  let told = report;
  const call = async (name: string, observer: () => void | Promise<void>) => {
    try {
      await orAborted(Promise.resolve(observer()), signal);
    } catch (error) {
      rethrowControlFlow(error, signal);
      told = withDegradation(told, {
        stage: 'report',
        code: 'observer-failed',
        message: `${name} threw: ${messageOf(error)}`,
      });
    }
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

/** Records requests for the inspector. */
import type { ShapingReport, ShapingResult } from 'context-shaping';
import type { InspectorRun } from 'context-shaping/inspector';
import { recordContext, sealLockfile } from 'context-shaping/lockfile';

/**
 * JSON of the run of a result.
 *
 * @param report the report that the caller gets: it says no more of the operator's services than callers may know.
 * @param texts whether the run has texts. Then the context is recorded, which shapes it once more.
 */
export async function recordRun(
  result: ShapingResult,
  report: ShapingReport,
  texts: boolean,
  signal: AbortSignal | undefined,
): Promise<string> {
  const origin = new Date().toISOString();
  const toJson = (run: InspectorRun) => JSON.stringify({ name: report.query, origin, ...run });
  if (!texts) return toJson({ report });
  try {
    const lockfile = await recordContext(result, { signal });
    // Messages of failed services may contain addresses, keys or texts of other clients.
    for (const service of Object.values(lockfile.services)) delete service.failures;
    return toJson({ report, lockfile: sealLockfile({ ...lockfile, report }) });
  } catch {
    signal?.throwIfAborted();
    // For instance a custom stage that works only once. The caller gets its answer, and the page the report.
    return toJson({ report });
  }
}

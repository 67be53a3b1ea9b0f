import { withDegradation } from './report/report.js';
import { setSameOrigin } from './session/session.js';
import type { Shaper, ShapingInput, ShapingResult } from './shaper.js';
import type { Chunk, Degradation, ShapingReport } from './types.js';

/**
 * Shapes, and adds degradations to the report: those of an adapter, which happened before. `onReport` gets them too.
 *
 * @throws the errors of `shape`.
 */
export async function shapeWith<T extends Chunk>(
  shaper: Shaper,
  input: ShapingInput<T>,
  degradations: readonly Degradation[],
): Promise<ShapingResult<T>> {
  if (degradations.length === 0) return shaper.shape(input);
  const inFull = (report: ShapingReport) => setSameOrigin(withDegradation(report, degradations), report);
  const { onReport } = shaper.options;
  const telling =
    onReport === undefined ? shaper : shaper.with({ onReport: (report) => onReport(inFull(report)) });
  const result = await telling.shape(input);
  return setSameOrigin({ chunks: result.chunks, report: inFull(result.report) }, result);
}

import { withDegradation } from './report/report.js';
import { originOf, setOrigin, withOrigin } from './session/session.js';
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
  const inFull = (report: ShapingReport) => withDegradation(report, degradations);
  const { onReport } = shaper.options;
  const telling =
    onReport === undefined
      ? shaper
      : shaper.with({
          onReport: (report) => {
            const full = inFull(report);
            return withOrigin(full, originOf(report), () => onReport(full));
          },
        });
  const result = await telling.shape(input);
  const full = { chunks: result.chunks, report: inFull(result.report) };
  const origin = originOf(result);
  if (origin !== undefined) setOrigin(full, origin);
  return full;
}

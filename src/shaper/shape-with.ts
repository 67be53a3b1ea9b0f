import type { Telemetry } from '../ports.js';
import { withDegradation } from '../report/report.js';
import { madeOf, originOf, withOrigin } from '../session/session.js';
import type { Shaper, ShapingInput, ShapingResult } from '../shaping.js';
import type { Chunk, Degradation, ShapingReport } from '../types.js';

/**
 * Shapes, and adds degradations to the report: those of an adapter, which happened before. `onReport` and the telemetry
 * get them too.
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
  const { onReport, telemetry } = shaper.options;
  const telling =
    onReport === undefined && telemetry === undefined
      ? shaper
      : shaper.with({
          onReport:
            onReport &&
            ((report) => {
              const full = inFull(report);
              return withOrigin(full, originOf(report), () => onReport(full));
            }),
          telemetry: telemetry && tellingInFull(telemetry, inFull),
        });
  const result = await telling.shape(input);
  return madeOf(result, { chunks: result.chunks, report: inFull(result.report) });
}

/** The same telemetry, with the whole report at the end of a shaping. */
function tellingInFull(telemetry: Telemetry, inFull: (report: ShapingReport) => ShapingReport): Telemetry {
  const { provider, modelId } = telemetry;
  return {
    provider,
    modelId,
    begin(work) {
      const span = telemetry.begin(work);
      return {
        within: (run) => span.within(run),
        stage: (trace) => span.stage(trace),
        end: (outcome) =>
          span.end('report' in outcome ? { ...outcome, report: inFull(outcome.report) } : outcome),
      };
    },
  };
}

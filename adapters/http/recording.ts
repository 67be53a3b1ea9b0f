/** What a request leaves for the inspector. */
import type { ShapingInput, ShapingOptions, ShapingReport } from '../../src/index.js';
import { createShaperOnTape, Tape } from '../../src/internal.js';
import type { InspectorRun } from '../inspector/index.js';
import { recordContext } from '../lockfile/index.js';

/** Of one request. */
export interface Recording {
  /** The options to shape with: their services remember what they answer. */
  options: ShapingOptions;
  /**
   * JSON of the run.
   *
   * @param report the report that the caller gets. It says nothing of the operator's services that is not for callers.
   */
  run(report: ShapingReport): Promise<string>;
}

/** @param texts whether the run has texts: the context is recorded, which shapes it once more and asks no service. */
export function startRecording(options: ShapingOptions, input: ShapingInput, texts: boolean): Recording {
  const origin = new Date().toISOString();
  const toJson = (run: InspectorRun) => JSON.stringify({ name: run.report.query, origin, ...run });
  if (!texts) return { options, run: async (report) => toJson({ report }) };
  const tape = new Tape();
  const { embedder, ecs } = options;
  const { model, judge } = ecs || {};
  const services = tape.services({ embedder, model, judge });
  return {
    options: {
      ...options,
      ...(services.embedder && { embedder: services.embedder }),
      ...(ecs && {
        ecs: {
          ...ecs,
          ...(services.model && { model: services.model }),
          ...(services.judge && { judge: services.judge }),
        },
      }),
    },
    async run(report) {
      try {
        const session = createShaperOnTape(options, tape.sealed()).session(input);
        const lockfile = await recordContext(session);
        return toJson({ report, lockfile: { ...lockfile, report, digest: report.digest } });
      } catch {
        input.signal?.throwIfAborted();
        // For instance a custom stage that works only once. The caller gets its answer, and the page the report.
        return toJson({ report });
      }
    },
  };
}

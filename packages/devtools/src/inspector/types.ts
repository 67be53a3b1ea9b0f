import type { ShapingReport } from 'context-shaping';
import type { ContextLockfile } from '../lockfile/index.js';

/** A shaping that the inspector shows. */
export interface InspectorRun {
  /** The name of the run in the page. Default: its question. */
  name?: string | undefined;
  report: ShapingReport;
  /** The recorded context. With it the page shows texts, and shapes again with other options. */
  lockfile?: ContextLockfile | undefined;
  /** The origin of the run, for readers: the name of a file, a time. */
  origin?: string | undefined;
}

/** A run, a report or a recorded context. A string is the JSON of a run, and goes into the page without being parsed. */
export type InspectorSource = InspectorRun | ContextLockfile | ShapingReport | string;

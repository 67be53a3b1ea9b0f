/** The data of the page: runs, each with its report, and with its input if that was recorded. */
import type { ShapingReport } from 'context-shaping';
import type { ContextLockfile } from '../src/lockfile/index.js';

/** The id of the element with the data, as JSON. */
const DATA_ID = 'context-shaping-data';

export interface Run {
  name: string;
  report: ShapingReport;
  lockfile?: ContextLockfile;
  /** The file, or the time, that the run is from. */
  origin?: string;
}

/** Reads the runs of the page. Absent or malformed data gives none. */
export function readRuns(document: Document): Run[] {
  try {
    const data = JSON.parse(document.getElementById(DATA_ID)?.textContent ?? '') as { runs?: unknown };
    return Array.isArray(data.runs) ? data.runs.filter(isRun).map(inThisForm) : [];
  } catch {
    return [];
  }
}

const isRun = (run: unknown): run is Run => {
  const report = (run as Partial<Run> | null)?.report as Partial<ShapingReport> | undefined;
  return [report?.kept, report?.evicted, report?.stages].every(Array.isArray);
};

/** Reports of version 1 have conflicts of another form, which are left out. */
const inThisForm = (run: Run): Run => {
  const conflicts = (run.report.conflicts ?? []).filter(({ sides }) => Array.isArray(sides));
  return { ...run, report: { ...run.report, conflicts } };
};

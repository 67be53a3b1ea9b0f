import { invalidInput } from '../errors.js';
import { REPORT_VERSION } from '../types.js';

/**
 * Checks that a report has the form of this release. A report from a file may be older.
 *
 * @throws ContextShapingError `invalid-input`.
 */
export function checkReportVersion({ version }: { version?: unknown }, field: string): void {
  if (version === REPORT_VERSION) return;
  throw invalidInput(
    `${field}.version`,
    version,
    `must be ${REPORT_VERSION}, the version that this release reads`,
    'Shape again, or read the report with the release of context-shaping that made it.',
  );
}

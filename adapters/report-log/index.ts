/**
 * Writes reports to a log file that rotates by size and that several processes may share, and reads them back.
 *
 * @packageDocumentation
 */
export { type LoggedReports, readReports } from './read-reports.js';
export { type ReportLogOptions, reportLog } from './report-log.js';

/** Writes reports to a log file that rotates by size and that several processes may share. */
export { type ReportLogOptions, reportLog } from './report-log.js';

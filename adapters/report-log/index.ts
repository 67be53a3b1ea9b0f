/** Reports of shaping in a log file, rotated by size, shared by processes. */
export { type ReportLogOptions, reportLog } from './report-log.js';

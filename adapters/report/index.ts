/**
 * Reports for people and for logs: tables of plain text, JSON lines, and reasons as sentences. `context-shaping/explain`
 * exports the first two.
 *
 * @packageDocumentation
 */
export { conflictsInContext } from './conflict-table.js';
export { formatReport, reportLines } from './format.js';
export { section as tableOf } from './table.js';
export { said, why } from './why.js';

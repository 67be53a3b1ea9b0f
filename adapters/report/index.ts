/**
 * Reports for people and for logs: tables of plain text, JSON lines, and reasons as sentences. `context-shaping/explain`
 * exports the first two.
 *
 * @packageDocumentation
 */
export { conflictsInContext } from './conflict-table.js';
export { formatReport, reportLines } from './format.js';
export { oneLine, section as tableOf, wrapLine } from './table.js';
export { said, why } from './why.js';
export { count } from './words.js';

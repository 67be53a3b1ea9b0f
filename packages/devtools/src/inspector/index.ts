/**
 * Self-contained pages: the context and what became of each chunk, which shapes again in the browser; and an evaluation.
 *
 * @packageDocumentation
 */
export { evaluationPage } from './evaluation-page.js';
export { inspectorPage, inspectorPolicy } from './page.js';
export type { InspectorRun, InspectorSource } from './types.js';

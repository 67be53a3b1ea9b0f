/** One self-contained page that shows what became of each chunk, and shapes again in the browser. */
export { inspectorPage, inspectorPolicy } from './page.js';
export type { InspectorRun, InspectorSource } from './types.js';

/** Shapes one result of a tool: logs, JSON, tables and texts, by what each kind of result is read for. */
export type { KindName } from './kinds/index.js';
export type { Dropped } from './note.js';
export type { ToolResultOptions } from './options.js';
export { type ShapedToolResult, shapeToolResult, type ToolResultReport } from './shape-tool-result.js';

/**
 * Shapes one result of a tool: logs, JSON, tables and texts, each kind for its own purpose.
 *
 * @packageDocumentation
 */
export type { Dropped } from '../structures/index.js';
export type { Kept } from './keep.js';
export type { KindName } from './kinds/index.js';
export type { ToolResultOptions } from './options.js';
export { type ShapedToolResult, shapeToolResult, type ToolResultReport } from './shape-tool-result.js';

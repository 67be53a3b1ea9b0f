/** Structures of results: how a JSON value, a table or a text shrinks without breaking. */
export { type ShapedStructure, type StructureShaping, shapeStructure } from './shape-structure.js';
export { type JsonStructure, structureOf, structureOfJson } from './structure-of.js';
export type { Block, Facet, KeptBlock, Missing, Rebuilt, Structure, StructureKind } from './types.js';

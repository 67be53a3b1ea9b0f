/** Structures of results: how a JSON value, a table or a text shrinks without breaking. */
export { blocksForFacets } from './facets.js';
export { type LineBlock, lineStructure } from './line-structure.js';
export { Outline, ROOT } from './outline.js';
export { type Packed, type Packing, pack } from './pack.js';
export {
  FACET_SHARE,
  optionsFor,
  type ShapedStructure,
  type StructureShaping,
  shapeStructure,
} from './shape-structure.js';
export { type JsonStructure, type StructureOptions, structureOf, structureOfJson } from './structure-of.js';
export type { Block, Facet, KeptBlock, Missing, Rebuilt, Structure, StructureKind } from './types.js';

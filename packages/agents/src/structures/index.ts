/** Structures of results: how a JSON value, a table or a text shrinks without breaking. */
export { type Asked, ask, hasPriorities, priorityOf } from './ask.js';
export { type Dropped, droppedOf, labelsOf, phrasesOf } from './dropped.js';
export { type LineBlock, lineStructure } from './line-structure.js';
export { Outline, ROOT } from './outline.js';
export { type Packed, type Packing, pack } from './pack.js';
export { type JsonStructure, type StructureOptions, structureOf, structureOfJson } from './structure-of.js';
export type { Block, KeptBlock, Missing, Rebuilt, Structure, StructureKind } from './types.js';

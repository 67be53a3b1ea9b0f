/** Structures of results: how a JSON value, a table or a text shrinks without breaking. */
export { type Asked, ask, hasPriorities, priorityOf } from './ask.js';
export { type Dropped, droppedOf, labelsOf, phrasesOf } from './dropped.js';
export { dataIn, jsonStretches } from './json-nodes.js';
export { addJson } from './json-pieces.js';
export { addLines, type LineBlock } from './lines.js';
export { type AddText, Outline, type Place, ROOT } from './outline.js';
export { joined, type Packed, type Packing, pack } from './pack.js';
export { type Cell, raritiesOf } from './rarity.js';
export { addText } from './text-pieces.js';
export type { Block, KeptBlock, Missing, Rebuilt, Structure, StructureKind } from './types.js';
export { wordRelevance } from './word-relevance.js';

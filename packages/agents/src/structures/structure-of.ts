/** Recognises what a result is. */
import { readJson, readJsonLines } from './json-nodes.js';
import { addJson } from './json-pieces.js';
import { Outline, ROOT } from './outline.js';
import { addText } from './text-pieces.js';
import type { Rebuilt, Structure } from './types.js';

/**
 * Most blocks of a structure: each is compared with the query by all features. Some 4000 rows take
 * .3 seconds.
 */
const MOST_BLOCKS = 4000;

export interface StructureOptions {
  /** Most blocks. In a longer result, a block is several neighbours of one list. Default 4000. */
  mostBlocks?: number | undefined;
}

/** The structure of a text: JSON, JSON Lines, or Markdown, tables, logs and prose, mixed as they come. */
export function structureOf(text: string, { mostBlocks = MOST_BLOCKS }: StructureOptions = {}): Structure {
  const outline = new Outline();
  const json = /^\s*[[{]/.test(text) ? readJson(text) : undefined;
  const data = json ?? readJsonLines(text);
  if (data === undefined) return plainStructure(text, mostBlocks);
  addJson(outline, text, data);
  const structure = outline.structure(json === undefined ? 'json-lines' : 'json', mostBlocks);
  return { ...structure, plain: () => plainStructure(text, mostBlocks, true) };
}

function plainStructure(text: string, mostBlocks: number, asLines = false): Structure {
  const outline = new Outline();
  addText(outline, text, {
    within: ROOT,
    asLines,
    dataIn(part) {
      const json = !asLines && /^\s*[[{]/.test(part) ? readJson(part) : undefined;
      return json === undefined ? undefined : (place) => addJson(outline, part, json, place);
    },
  });
  return outline.structure('text', mostBlocks);
}

/** The structure of a JSON value: its rebuilt results have a value. */
export type JsonStructure = Structure<Rebuilt & { readonly value: unknown }>;

/**
 * The structure of a value that can be written as JSON.
 *
 * @throws TypeError if the value cannot be written as JSON: it contains itself, or a bigint.
 */
export function structureOfJson(
  value: unknown,
  { mostBlocks = MOST_BLOCKS }: StructureOptions = {},
): JsonStructure {
  const text = JSON.stringify(value) ?? 'null';
  const outline = new Outline();
  const json = readJson(text);
  if (json !== undefined) addJson(outline, text, json);
  const structure = outline.structure('json', mostBlocks);
  return {
    ...structure,
    plain: undefined,
    rebuild(kept) {
      const rebuilt = structure.rebuild(kept);
      return { ...rebuilt, value: JSON.parse(rebuilt.text) as unknown };
    },
  };
}

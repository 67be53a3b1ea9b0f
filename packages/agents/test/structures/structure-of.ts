/** Structures of data, and of other texts as tables, Markdown and prose. */
import { dataIn, type Structure } from '../../src/structures/index.js';
import { readText } from '../../src/tool-results/kinds/index.js';

export const structureOf = (text: string): Structure =>
  readText(text, {}, dataIn(text) === undefined ? 'prose' : 'json').structure;

export const structureOfValue = (value: unknown): Structure =>
  readText(JSON.stringify(value), {}, 'json').structure;

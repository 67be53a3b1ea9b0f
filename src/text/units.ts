/**
 * A text as units: pieces that may be kept or dropped whole without changing what the others say.
 *
 * Prose is cut at the ends of sentences, what is laid out in lines at the lines that belong together, and what
 * must stay whole (code, JSON, markup, formulas, quotations) nowhere.
 */
import { indentedCode, plainCode } from './units/code.js';
import { fence, frontMatter, mathematics, quotation } from './units/delimited.js';
import { entry } from './units/entries.js';
import { heading, rule } from './units/headings.js';
import { json, jsonLines } from './units/json.js';
import { list } from './units/lists.js';
import { markup } from './units/markup.js';
import { Page, type Structure } from './units/page.js';
import { prose } from './units/prose.js';
import { pipeTable, separatedValues } from './units/tables.js';

/**
 * `item`: of a list, a log, or `key: value` lines. `row`: of a pipe table, header and delimiter row together.
 * `record`: a line of CSV, TSV or JSON Lines, where a line of another kind would break a parser.
 * `block`: stays whole.
 */
export type UnitKind = 'sentence' | 'heading' | 'item' | 'row' | 'record' | 'block';

export interface Unit {
  /**
   * Offsets, in UTF-16 code units: `text.slice(start, end)`. Ascending and disjoint; between units there is only
   * white space. Items, rows, records and blocks start with the indentation of their line.
   */
  readonly start: number;
  readonly end: number;
  readonly kind: UnitKind;
  /**
   * Places of the earlier units without which this one cannot be read: the header of a row, the parent of an
   * item, or the line that introduces its list. Direct needs alone: those may have needs of their own.
   */
  readonly needs: readonly number[];
  /** Place of the nearest heading above it; of a heading, the nearest of a higher level. Advisable. */
  readonly heading?: number;
  /**
   * Place of the earlier unit that this one speaks of (`It …`, `However, …`), that announces it with a colon, or that
   * names the speaker. Advisable; one step back is enough.
   */
  readonly leansOn?: number;
}

/** In this order: the first that starts at a line reads it. Prose starts anywhere. */
const STRUCTURES: readonly Structure[] = [
  frontMatter,
  fence,
  mathematics,
  jsonLines,
  json,
  markup,
  pipeTable,
  rule,
  plainCode,
  heading,
  list,
  separatedValues,
  entry,
  quotation,
  indentedCode,
];

/** The units of a text in order. Every character that is not white space is in exactly one; a blank text has none. */
export function unitsOf(text: string): readonly Unit[] {
  const page = new Page(text, STRUCTURES);
  for (let at = 0; at < page.lines.length; ) at = (page.structureAt(at) ?? prose).read(page, at);
  return page.units;
}

/** The unit, what it needs, and its heading; `lean`: and what it leans on. In the order of the text. */
export function closure(units: readonly Unit[], place: number, lean: boolean): number[] {
  const wanted = new Set<number>();
  const visit = (at: number) => {
    if (wanted.has(at)) return;
    wanted.add(at);
    for (const need of (units[at] as Unit).needs) visit(need);
  };
  visit(place);
  const { heading, leansOn } = units[place] as Unit;
  if (heading !== undefined) visit(heading);
  if (lean && leansOn !== undefined) visit(leansOn);
  return [...wanted].sort((a, b) => a - b);
}

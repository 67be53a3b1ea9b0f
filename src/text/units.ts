/**
 * A text as units: pieces that may be kept or dropped whole without changing what the others say.
 *
 * Prose is cut at the ends of sentences, what is laid out in lines at the lines that belong together, and what
 * must stay whole (code, JSON, markup, formulas, quotations) nowhere.
 */
import { indentedCode, plainCode } from './units/code.js';
import { fence, frontMatter, mathematics, quotation, strayFence } from './units/delimited.js';
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
 * `fragment`: code of a block that began before the text, or goes on after it: one of its two fences is missing.
 * `links`: an item, sentence or block of nothing but links and pictures: badges, sponsors, tables of contents.
 * `mark`: says nothing: a rule between sections, a comment, a fence that lacks its other half.
 */
export type UnitKind =
  | 'sentence'
  | 'heading'
  | 'item'
  | 'row'
  | 'record'
  | 'block'
  | 'fragment'
  | 'links'
  | 'mark';

export interface Unit {
  /**
   * Offsets, in UTF-16 code units: `text.slice(start, end)`. Ascending and disjoint; between units there is only
   * white space. Items, rows, records and blocks start with the indentation of their line.
   */
  readonly start: number;
  readonly end: number;
  readonly kind: UnitKind;
  /**
   * Places of the earlier units without which this one cannot be read: the header and the section of a row, the
   * parent of an item, the line that introduces a list, a table or a block. Direct needs alone: those may have needs
   * of their own.
   */
  readonly needs: readonly number[];
  /** Place of the first unit that this one announces: with a colon, or as the header of a table. */
  readonly announces?: number;
  /** Place of the nearest heading above it; of a heading, the nearest of a higher level. Advisable. */
  readonly heading?: number;
  /**
   * Place of the earlier unit that this one speaks of (`It …`, `However, …`), that announces it with a colon, or that
   * names the speaker. Advisable.
   */
  readonly leansOn?: number;
}

/** In this order: the first that starts at a line reads it. Prose starts anywhere. */
const STRUCTURES: readonly Structure[] = [
  frontMatter,
  strayFence,
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

/** What the titles of articles end with, and headings do not. */
const ENDING = /[.!?…。！？]["'”’)\]]*$/;

/**
 * The units of a text whose title is known. Where the text begins with it, on a line of its own or with a full stop,
 * the title is a heading, above all others.
 */
export function titledUnitsOf(text: string, title: string): readonly Unit[] | undefined {
  const start = text.length - text.trimStart().length;
  const name = title.trim();
  if (name === '' || !text.startsWith(name, start)) return undefined;
  const end = start + name.length;
  const rest = text.slice(end);
  if (!/^\s/.test(rest) || rest.trim() === '') return undefined;
  if (!ENDING.test(name) && !/^[^\S\n\r]*[\n\r]/.test(rest)) return undefined;
  const shifted = unitsOf(rest).map((unit): Unit => {
    const { needs, announces, heading = -1, leansOn } = unit;
    return {
      ...unit,
      start: unit.start + end,
      end: unit.end + end,
      needs: needs.map((place) => place + 1),
      heading: heading + 1,
      ...(announces === undefined ? {} : { announces: announces + 1 }),
      ...(leansOn === undefined ? {} : { leansOn: leansOn + 1 }),
    };
  });
  return [{ start, end, kind: 'heading', needs: [] }, ...shifted];
}

/**
 * The unit, what it needs, its heading, and what it announces, unless something of that is among them; `lean`: and what
 * it leans on. In the order of the text.
 */
export function closure(units: readonly Unit[], place: number, lean: boolean): number[] {
  const wanted = new Set<number>();
  const visit = (at: number) => {
    if (wanted.has(at)) return;
    wanted.add(at);
    const { needs, leansOn } = units[at] as Unit;
    for (const need of needs) visit(need);
    if (lean && leansOn !== undefined) visit(leansOn);
  };
  visit(place);
  const { heading } = units[place] as Unit;
  if (heading !== undefined) visit(heading);
  // A set goes on to what is added to it meanwhile.
  for (const at of wanted) {
    const { announces } = units[at] as Unit;
    if (announces !== undefined && ![...wanted].some((other) => isAnnounced(units, other, at)))
      visit(announces);
  }
  return [...wanted].sort((a, b) => a - b);
}

function isAnnounced(units: readonly Unit[], place: number, by: number): boolean {
  const { needs, leansOn } = units[place] as Unit;
  return needs.includes(by) || leansOn === by;
}

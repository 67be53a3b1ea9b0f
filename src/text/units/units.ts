/**
 * Splits a text into units: pieces that may be kept or dropped whole without changing the meaning of the others.
 *
 * Prose is cut at the ends of sentences. A layout of lines is cut between groups of lines that belong together. Text
 * that must stay whole (code, JSON, markup, formulas, quotations) is not cut.
 */
import type { Lexicon } from '../lexicon.js';
import { indentedCode, plainCode } from './code.js';
import { fence, frontMatter, quotation } from './delimited.js';
import { entry } from './entries.js';
import { heading, rule } from './headings.js';
import { json, jsonLines } from './json.js';
import { list } from './lists.js';
import { markup } from './markup.js';
import { Page, type Structure, type Unit } from './page.js';
import { prose } from './prose.js';
import { pipeTable, separatedValues } from './tables.js';

/** In order of precedence: the first structure that starts at a line reads it. Prose starts anywhere. */
const STRUCTURES: readonly Structure[] = [
  frontMatter,
  fence,
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

/**
 * Returns the units of a text in order. Every character except white space is in exactly one unit. A blank text has
 * none.
 */
export function unitsOf(text: string): readonly Unit[] {
  const page = new Page(text, STRUCTURES);
  for (let at = 0; at < page.lines.length; ) at = (page.structureAt(at) ?? prose).read(page, at);
  return page.units;
}

/** Returns the units of a text, which are found once. */
export const unitsIn = (text: string, lexicon: Lexicon): readonly Unit[] => lexicon.found(text, unitsOf);

/**
 * Returns the units of a text with its title, if that is known. If the text begins with the title, however it ends, the title
 * is a heading above all others.
 */
export function unitsUnder(text: string, title: string | undefined, lexicon: Lexicon): readonly Unit[] {
  const plain = unitsIn(text, lexicon);
  if (title === undefined || plain[0]?.kind === 'heading') return plain;
  const latest = lexicon.found(text, latestTitled);
  if (latest.title !== title) Object.assign(latest, { title, units: titledUnitsIn(text, title) ?? plain });
  return latest.units;
}

/** The units of a text under the title that it had last. */
const latestTitled = (): { title?: string; units: readonly Unit[] } => ({ units: [] });

/** A unit that would be read with more units than this, as in an endless series of pronouns, is read without references. */
const MOST_LEANING = 64;

/** Endings of titles of articles that headings do not have. */
const ENDING = /[.!?…。！？]["'”’)\]]*$/;

/**
 * Returns the units of a text with a known title. If the text begins with the title, on a line of its own or with a
 * full stop, the title becomes a heading above all others. Otherwise the result is undefined.
 */
function titledUnitsIn(text: string, title: string): readonly Unit[] | undefined {
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
 * Returns the indices, ascending, of a unit, its needs and its heading. If a unit of the result announces others and
 * none of those is in the result, the first of them is added. With `lean`, the units to which these units refer are
 * included, unless these are more than {@link MOST_LEANING}.
 */
export function closure(units: readonly Unit[], place: number, lean: boolean): number[] {
  const most = lean ? MOST_LEANING : Number.POSITIVE_INFINITY;
  const wanted = new Set<number>();
  const visit = (from: number) => {
    // A list, as a chain of references may be longer than the stack.
    const next = [from];
    for (let at = next.pop(); at !== undefined && wanted.size <= most; at = next.pop()) {
      if (wanted.has(at)) continue;
      wanted.add(at);
      const { needs, leansOn } = units[at] as Unit;
      if (lean && leansOn !== undefined) next.push(leansOn);
      for (let need = needs.length - 1; need >= 0; need--) next.push(needs[need] as number);
    }
  };
  visit(place);
  const { heading } = units[place] as Unit;
  if (heading !== undefined) visit(heading);
  if (wanted.size > most) return closure(units, place, false);
  // The loop also visits the elements that it adds to the set.
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

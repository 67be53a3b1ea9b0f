/** Putting the kept units of a text together, verbatim, so that what is left out shows and nothing breaks. */
import type { Excerpt } from '../types.js';
import { cellsOf } from './units/tables.js';
import type { Unit } from './units.js';

/**
 * The kept units in their order. Neighbours stay joined by the characters of the original; where something
 * between two of them was left out, `gap` stands in its place:
 *
 * - within a line, as it is given (`' … '`); if blank, the white space of the original instead;
 * - where nothing but marks was left out (a rule, a comment), not at all;
 * - where a line break was left out, on a line of its own; if blank, as a line break;
 * - within a pipe table, as a row of as many cells as the header has, with the gap in the first;
 * - among records (CSV, TSV, JSON Lines) not at all, but on a line behind the last of them.
 *
 * All units kept give the original text, white space at its ends included; otherwise that is left out.
 *
 * @param kept - places in `units`.
 * @returns the text, and the stretches of the original that it consists of, gaps aside.
 */
export function join(
  text: string,
  units: readonly Unit[],
  kept: ReadonlySet<number>,
  gap: string,
): { text: string; excerpts: Excerpt[] } {
  if (units.every((_, place) => kept.has(place)))
    return { text, excerpts: text === '' ? [] : [{ start: 0, end: text.length }] };
  const tables = tablesOf(text, units);
  const mark = gap.trim();
  const broken = mark === '' ? new Set() : brokenRecords(units, tables, kept);
  const excerpts: Excerpt[] = [];
  let joined = '';
  let last = -1;
  for (const [place, unit] of units.entries()) {
    if (!kept.has(place)) continue;
    const excerpt = excerpts.at(-1);
    const owesMark = tables[place] !== tables[last] && broken.has(tables[last]);
    if (excerpt !== undefined && last === place - 1 && !owesMark) {
      joined += text.slice(excerpt.end, unit.end);
      excerpt.end = unit.end;
    } else {
      if (excerpt !== undefined) joined += separator(text, units, tables, last, place, gap);
      joined += text.slice(unit.start, unit.end);
      excerpts.push({ start: unit.start, end: unit.end });
    }
    last = place;
  }
  return { text: broken.has(tables[last]) ? `${joined}\n${mark}` : joined, excerpts };
}

/** For each row or record the place of the first of its table, for other units their own. */
function tablesOf(text: string, units: readonly Unit[]): readonly number[] {
  const tables: number[] = [];
  units.forEach((unit, place) => {
    const above = units[place - 1];
    const continues =
      (unit.kind === 'row' || unit.kind === 'record') &&
      unit.kind === above?.kind &&
      !isApart(text.slice(above.end, unit.start));
    tables.push(continues ? (tables[place - 1] as number) : place);
  });
  return tables;
}

/** The tables of records of which some are left out. */
function brokenRecords(
  units: readonly Unit[],
  tables: readonly number[],
  kept: ReadonlySet<number>,
): ReadonlySet<unknown> {
  return new Set(tables.filter((_, place) => units[place]?.kind === 'record' && !kept.has(place)));
}

function separator(
  text: string,
  units: readonly Unit[],
  tables: readonly number[],
  last: number,
  next: number,
  gap: string,
): string {
  const { kind, end } = units[last] as Unit;
  const { start } = units[next] as Unit;
  const omitted = text.slice(end, start);
  const line = omitted.includes('\r\n') ? '\r\n' : '\n';
  const mark = gap.trim();
  if (tables[last] === tables[next])
    return mark === '' || kind === 'record'
      ? line
      : line + gapRow(text, units[tables[next] as number] as Unit, mark) + line;
  if (!/[\n\r\u2028\u2029]/.test(omitted)) return mark === '' ? text.slice(end, units[last + 1]?.start) : gap;
  const isMarkAlone = next > last + 1 && units.slice(last + 1, next).every((unit) => unit.kind === 'mark');
  if (isMarkAlone) return isApart(omitted) ? line + line : line;
  // Without a blank line after it a table would take the mark as a row, and one before it as its header.
  const isTabular = [last, next].some((place) => /^(?:row|record)$/.test(units[place]?.kind as string));
  const space = isTabular || isApart(omitted) ? line + line : line;
  return mark === '' ? space : space + mark + space;
}

/** A row of a pipe table that says something is missing. */
function gapRow(text: string, header: Unit, mark: string): string {
  const [, indentation = '', row = ''] = /^(\s*)(.*)/.exec(text.slice(header.start, header.end)) ?? [];
  const cell = mark.replace(/\s+/g, ' ').replaceAll('|', '\\|');
  return `${indentation}| ${cell} |${'  |'.repeat(Math.max(0, cellsOf(row.trimEnd()) - 1))}`;
}

/** Whether there is a blank line. */
function isApart(text: string): boolean {
  return /[\n\r\u2028\u2029]\s*?[\n\r\u2028\u2029]/.test(text.replaceAll('\r\n', '\n'));
}

/** Joins the kept units of a text, verbatim, so that gaps are visible and the format stays intact. */
import type { Excerpt } from '../types.js';
import type { Unit } from './units/page.js';

/** Kinds of units that are lines of a table. */
export const IS_TABULAR = /^(?:row|record)$/;

/**
 * Joins the kept units in their order. Neighbours stay joined by the characters of the original. If text between two
 * kept units was left out, `gap` replaces it:
 *
 * - within a line, `gap` as given (`' … '`); if it is blank, the white space of the original;
 * - if only marks were left out (a rule, a comment), no gap;
 * - if a line break was left out, a gap on a line of its own; if it is blank, a line break;
 * - among the rows of a table, and among records (CSV, TSV, JSON Lines), no gap, but with `marksTables` one on a line
 *   behind the last of them.
 *
 * If all units are kept, the result is the original text with the white space at its ends. Otherwise that white space
 * is left out.
 *
 * @param kept - indices in `units`.
 * @returns the text, and the stretches of the original that it consists of, without the gaps.
 */
export function join(
  text: string,
  units: readonly Unit[],
  kept: ReadonlySet<number>,
  gap: string,
  marksTables = true,
): { text: string; excerpts: Excerpt[] } {
  if (units.every((_, place) => kept.has(place)))
    return { text, excerpts: text === '' ? [] : [{ start: 0, end: text.length }] };
  const tables = tablesOf(text, units);
  const mark = gap.trim();
  const broken = mark === '' || !marksTables ? new Set() : brokenTables(units, tables, kept);
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
  if (!broken.has(tables[last])) return { text: joined, excerpts };
  // Without a blank line before it, a pipe table would take the mark as a row.
  return {
    text: `${joined}${units[tables[last] as number]?.kind === 'row' ? '\n\n' : '\n'}${mark}`,
    excerpts,
  };
}

/**
 * Returns for each line of a table the index of the first unit of its table, and for other units their own index. The
 * delimiter row is a mark that needs the header.
 */
function tablesOf(text: string, units: readonly Unit[]): readonly number[] {
  const tables: number[] = [];
  const isDelimiterRow = ({ kind, needs }: Unit) => kind === 'mark' && units[needs[0] ?? -1]?.kind === 'row';
  units.forEach((unit, place) => {
    const above = units[place - 1];
    const continues =
      above !== undefined &&
      (isDelimiterRow(unit) ||
        (IS_TABULAR.test(unit.kind) &&
          (unit.kind === above.kind || isDelimiterRow(above)) &&
          !isApart(text.slice(above.end, unit.start))));
    tables.push(continues ? (tables[place - 1] as number) : place);
  });
  return tables;
}

/** Returns the tables from which some rows or records are left out. */
function brokenTables(
  units: readonly Unit[],
  tables: readonly number[],
  kept: ReadonlySet<number>,
): ReadonlySet<unknown> {
  return new Set(
    tables.filter((_, place) => IS_TABULAR.test(units[place]?.kind as string) && !kept.has(place)),
  );
}

function separator(
  text: string,
  units: readonly Unit[],
  tables: readonly number[],
  last: number,
  next: number,
  gap: string,
): string {
  const { end } = units[last] as Unit;
  const { start } = units[next] as Unit;
  const omitted = text.slice(end, start);
  const line = omitted.includes('\r\n') ? '\r\n' : '\n';
  const mark = gap.trim();
  if (tables[last] === tables[next]) return line;
  if (!/[\n\r\u2028\u2029]/.test(omitted)) return mark === '' ? text.slice(end, units[last + 1]?.start) : gap;
  const isMarkAlone = next > last + 1 && units.slice(last + 1, next).every((unit) => unit.kind === 'mark');
  if (isMarkAlone) return isApart(omitted) ? line + line : line;
  // Without a blank line after it, a table would take the mark as a row; without one before it, as its header.
  const isTabular = [last, next].some((place) => IS_TABULAR.test(units[place]?.kind as string));
  const space = isTabular || isApart(omitted) ? line + line : line;
  return mark === '' ? space : space + mark + space;
}

/** Returns whether the text contains a blank line. */
function isApart(text: string): boolean {
  return /[\n\r\u2028\u2029]\s*?[\n\r\u2028\u2029]/.test(text.replaceAll('\r\n', '\n'));
}

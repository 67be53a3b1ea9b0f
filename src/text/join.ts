/** Joins the kept units of a text, verbatim, so that gaps are visible and the format stays intact. */
import type { Excerpt } from '../types.js';
import { firstFrom } from './reading.js';
import type { Unit } from './units/page.js';

/** Kinds of units that are lines of a table. */
export const IS_TABULAR = /^(?:row|record)$/;

/** A line break. Two with nothing but white space between make a blank line. */
const BREAK = /\r\n|[\n\r\u2028\u2029]/g;

/** Characters of a unit that may be in one token with the text beside it. */
const REACH = 200;

/** The line breaks of a text. */
interface Breaks {
  readonly starts: readonly number[];
  /** Those of two characters. */
  readonly pairs: readonly number[];
  /** For each break, where the first blank line ends that begins at it or behind it. */
  readonly blankEnds: readonly number[];
}

/** Joins units of one text. It finds the tables and the line breaks of the text once for all joints. */
export class Joiner {
  #tables: readonly number[] | undefined;
  #breaks: Breaks | undefined;

  constructor(
    readonly text: string,
    readonly units: readonly Unit[],
  ) {}

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
  join(kept: ReadonlySet<number>, gap: string, marksTables = true): { text: string; excerpts: Excerpt[] } {
    const { text, units } = this;
    if (kept.size === units.length)
      return { text, excerpts: text === '' ? [] : [{ start: 0, end: text.length }] };
    const mark = gap.trim();
    const broken = mark === '' || !marksTables ? new Set() : this.#brokenTables(kept);
    const excerpts: Excerpt[] = [];
    let joined = '';
    let last = -1;
    for (const place of [...kept].sort((a, b) => a - b)) {
      const { start, end } = units[place] as Unit;
      const excerpt = excerpts.at(-1);
      const owesMark = this.#tableOf(place) !== this.#tableOf(last) && broken.has(this.#tableOf(last));
      if (excerpt !== undefined && last === place - 1 && !owesMark) {
        joined += text.slice(excerpt.end, end);
        excerpt.end = end;
      } else {
        if (excerpt !== undefined) joined += this.#separator(last, place, gap);
        joined += text.slice(start, end);
        excerpts.push({ start, end });
      }
      last = place;
    }
    const table = this.#tableOf(last);
    if (table === undefined || !broken.has(table)) return { text: joined, excerpts };
    // Without a blank line before it, a pipe table would take the mark as a row.
    return { text: `${joined}${units[table]?.kind === 'row' ? '\n\n' : '\n'}${mark}`, excerpts };
  }

  /**
   * Returns by how many tokens more units raise the count of a joined text, without marks of tables. Only the joints that they
   * touch are counted, so that it takes linear time to try each unit of a long text. The result is exact if characters more
   * than {@link REACH} away do not change how a counter cuts a text.
   *
   * @param kept - indices in `units`, ascending.
   * @param more - other indices, ascending.
   */
  added(
    kept: readonly number[],
    more: readonly number[],
    gap: string,
    count: (text: string) => number,
  ): number {
    let tokens = 0;
    let before = -1;
    for (const place of more) {
      const behind = firstFrom(kept, place);
      const last = Math.max(before, kept[behind - 1] ?? -1);
      const next = kept[behind] ?? -1;
      const tail = this.#textOf(last).slice(-REACH);
      const head = this.#textOf(next).slice(0, REACH);
      const text = this.#between(last, place, gap) + this.#textOf(place) + this.#between(place, next, gap);
      tokens += count(tail + text + head) - count(tail + this.#between(last, next, gap) + head);
      before = place;
    }
    return tokens;
  }

  /** Returns the text of a unit. There is none at -1, nor between it and a unit. */
  #textOf(place: number): string {
    return place < 0 ? '' : this.text.slice(this.units[place]?.start, this.units[place]?.end);
  }

  #between(last: number, next: number, gap: string): string {
    if (last < 0 || next < 0) return '';
    if (next > last + 1) return this.#separator(last, next, gap);
    return this.text.slice(this.units[last]?.end, this.units[next]?.start);
  }

  /**
   * Returns for each line of a table the index of the first unit of its table, and for other units their own index. The
   * delimiter row is a mark that needs the header.
   */
  #tableOf(place: number): number | undefined {
    if (this.#tables !== undefined) return this.#tables[place];
    const { units } = this;
    const tables: number[] = [];
    const isDelimiterRow = ({ kind, needs }: Unit) =>
      kind === 'mark' && units[needs[0] ?? -1]?.kind === 'row';
    units.forEach((unit, at) => {
      const above = units[at - 1];
      const continues =
        above !== undefined &&
        (isDelimiterRow(unit) ||
          (IS_TABULAR.test(unit.kind) &&
            (unit.kind === above.kind || isDelimiterRow(above)) &&
            !this.#isApart(above.end, unit.start)));
      tables.push(continues ? (tables[at - 1] as number) : at);
    });
    this.#tables = tables;
    return tables[place];
  }

  /** Returns the tables from which some rows or records are left out. */
  #brokenTables(kept: ReadonlySet<number>): ReadonlySet<unknown> {
    const left = [...this.units.keys()].filter(
      (place) => IS_TABULAR.test((this.units[place] as Unit).kind) && !kept.has(place),
    );
    return new Set(left.map((place) => this.#tableOf(place)));
  }

  #separator(last: number, next: number, gap: string): string {
    const { text, units } = this;
    const { end } = units[last] as Unit;
    const { start } = units[next] as Unit;
    const { starts, pairs } = this.#lines;
    const omits = (ascending: readonly number[]) => (ascending[firstFrom(ascending, end)] ?? start) < start;
    const line = omits(pairs) ? '\r\n' : '\n';
    const mark = gap.trim();
    if (this.#tableOf(last) === this.#tableOf(next)) return line;
    if (!omits(starts)) return mark === '' ? text.slice(end, units[last + 1]?.start) : gap;
    const space = this.#isApart(end, start) ? line + line : line;
    let other = last + 1;
    while (units[other]?.kind === 'mark') other++;
    if (next > last + 1 && other >= next) return space;
    // Without a blank line after it, a table would take the mark as a row; without one before it, as its header.
    const isTabular = [last, next].some((place) => IS_TABULAR.test(units[place]?.kind as string));
    const around = isTabular ? line + line : space;
    return mark === '' ? around : around + mark + around;
  }

  /** Returns whether the text between two offsets contains a blank line. */
  #isApart(from: number, to: number): boolean {
    const { starts, blankEnds } = this.#lines;
    return (blankEnds[firstFrom(starts, from)] ?? Number.POSITIVE_INFINITY) <= to;
  }

  get #lines(): Breaks {
    if (this.#breaks !== undefined) return this.#breaks;
    const found = [...this.text.matchAll(BREAK)];
    const starts = found.map(({ index }) => index);
    const ends = found.map(({ 0: signs, index }) => index + signs.length);
    const pairs = starts.filter((start, at) => (ends[at] as number) > start + 1);
    const blankEnds: number[] = new Array(ends.length);
    for (let at = ends.length - 2, first = Number.POSITIVE_INFINITY; at >= 0; at--) {
      if (this.text.slice(ends[at], starts[at + 1]).trim() === '') first = ends[at + 1] as number;
      blankEnds[at] = first;
    }
    this.#breaks = { starts, pairs, blankEnds };
    return this.#breaks;
  }
}

/** The state that the readers of structures share: the lines of a text, and the units found so far. */
import { type Line, linesOf } from './lines.js';

/**
 * The kinds of units:
 *
 * - `item`: of a list, a log, or `key: value` lines.
 * - `row`: of a pipe table.
 * - `record`: a line of CSV, TSV or JSON Lines. A line of another kind among them would break a parser.
 * - `block`: stays whole.
 * - `fragment`: code of a block that continues after the text, so that its closing fence is missing.
 * - `mark`: has no content: a rule between sections, the delimiter row below the header of a table, a comment, a fence
 *   without its other half.
 */
export type UnitKind = 'sentence' | 'heading' | 'item' | 'row' | 'record' | 'block' | 'fragment' | 'mark';

export interface Unit {
  /**
   * Offsets, in UTF-16 code units: `text.slice(start, end)`. Ascending and disjoint; between units there is only white
   * space. Items, rows, records and blocks start with the indentation of their line.
   */
  readonly start: number;
  readonly end: number;
  readonly kind: UnitKind;
  /**
   * Indices of the earlier units without which this one cannot be understood: the header and the section of a row, the
   * parent of an item, the line that introduces a list, a table or a block. Only direct needs: those units may have
   * needs of their own.
   */
  readonly needs: readonly number[];
  /** Index of the first unit that this one announces: with a colon, or as the header of a table. */
  readonly announces?: number;
  /** Index of the nearest heading above it; for a heading, the nearest of a higher level. Advisable. */
  readonly heading?: number;
  /**
   * Index of the earlier unit to which this one refers (`It …`, `However, …`), that announces it with a colon, or that
   * names the speaker. Advisable.
   */
  readonly leansOn?: number;
}

/** A way in which lines belong together. */
export interface Structure {
  /** Returns whether a structure starts at this line. All calls together take time linear in the length of the text. */
  starts(page: Page, at: number): boolean;
  /**
   * Adds the units of the structure that starts at line `at`.
   *
   * @returns the index of the line behind it.
   */
  read(page: Page, at: number): number;
}

interface Links {
  /** Replaces the need for the item that contains the unit. */
  needs?: readonly number[] | undefined;
  leansOn?: number | undefined;
  /** The unit that needs a unit like this one after it. */
  announcedBy?: number | undefined;
  /** Level of a heading; 0 is the title of the text. */
  level?: number;
}

interface OpenItem {
  readonly place: number;
  readonly marker: string;
  readonly written: number;
  /** The written indentation, or one column more if only a colon shows that the item belongs to the item before. */
  readonly indent: number;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

const COLON = /(?<![:：])[:：]["'”’)\]*_`]{0,4}$/;
/** Kinds of units that include their introduction. */
const IS_INTRODUCED = /^(?:block|fragment|row|record)$/;

/** Returns whether the text ends with a colon at `end`, and so announces the next unit. */
export const endsWithColon = (text: string, end: number): boolean => COLON.test(text.slice(end - 6, end));

const NONE: readonly number[] = Object.freeze([]);

/** A text in lines, and the units that structures have read from it. */
export class Page {
  readonly units: Unit[] = [];
  readonly lines: readonly Line[];
  /** Offsets up to which JSON or XML was searched without success. A second search would take quadratic time. */
  readonly searchedTo = { json: 0, markup: 0 };
  /** Items whose text may continue, outermost first. */
  private readonly open: OpenItem[] = [];
  private readonly headings: { level: number; place: number }[] = [];
  private inList = false;
  private introduction: number | undefined;
  private known: { at: number; structure: Structure | undefined } = { at: -1, structure: undefined };

  constructor(
    readonly text: string,
    private readonly structures: readonly Structure[],
  ) {
    this.lines = linesOf(text);
  }

  /** Returns the first structure that starts at a line, or undefined if none does. */
  structureAt(at: number): Structure | undefined {
    if (this.known.at !== at)
      this.known = { at, structure: this.structures.find((structure) => structure.starts(this, at)) };
    return this.known.structure;
  }

  /** Returns whether a line follows without a blank line between. */
  touches(at: number): boolean {
    return this.lines[at + 1]?.afterBlank === false;
  }

  /** Returns whether a line with this indentation belongs to an item above it. */
  isInItem(indent: number): boolean {
    return this.open[0] !== undefined && this.open[0].indent < indent;
  }

  /**
   * Adds the lines from `at` to `behind` (exclusive) as one unit.
   *
   * @returns the index of the unit.
   */
  addLines(kind: UnitKind, at: number, behind: number, links: Links = {}): number {
    const { start, indent } = this.lines[at] as Line;
    return this.add(kind, start, (this.lines[behind - 1] as Line).end, indent, links);
  }

  /**
   * Adds the text from `start` to `end` as a unit.
   *
   * @returns the index of the unit.
   */
  add(kind: UnitKind, start: number, end: number, indent: number, links: Links = {}): number {
    while (this.open.length > 0 && (this.open.at(-1) as OpenItem).indent >= indent) this.open.pop();
    const parent = this.open.at(-1)?.place;
    if (parent === undefined) this.inList = false;
    return this.push(kind, start, end, links, links.needs ?? (parent === undefined ? NONE : [parent]));
  }

  /**
   * Adds an item with its lines. Its marker distinguishes it from items of another list with the same indentation.
   *
   * @returns the index of the unit.
   */
  addItem(at: number, behind: number, marker: string): number {
    const { start, indent: written } = this.lines[at] as Line;
    const indent = this.itemIndent(written, marker);
    while (this.open.length > 0 && (this.open.at(-1) as OpenItem).indent >= indent) this.open.pop();
    if (this.open.length === 0 && !this.inList) {
      this.introduction = this.introducer();
      this.inList = true;
    }
    const need = this.open.at(-1)?.place ?? this.introduction;
    const needs = need === undefined ? NONE : [need];
    const place = this.push('item', start, (this.lines[behind - 1] as Line).end, {}, needs);
    this.open.push({ place, marker, written, indent });
    return place;
  }

  private itemIndent(written: number, marker: string): number {
    for (let i = this.open.length - 1; i >= 0; i--) {
      const item = this.open[i] as OpenItem;
      if (item.written < written) break;
      if (item.written === written && item.marker === marker) return item.indent;
    }
    const above = this.open.at(-1);
    return above?.written === written && above.place === this.introducer() ? above.indent + 1 : written;
  }

  /** The index of the last unit with content, or undefined if that is a heading. */
  get last(): number | undefined {
    let place = this.units.length - 1;
    while (this.units[place]?.kind === 'mark') place--;
    return this.units[place] === undefined || this.units[place]?.kind === 'heading' ? undefined : place;
  }

  private push(kind: UnitKind, start: number, end: number, links: Links, needed: readonly number[]): number {
    const place = this.units.length;
    const level = links.level ?? Infinity;
    while (kind === 'heading' && this.headings.length > 0 && (this.headings.at(-1)?.level as number) >= level)
      this.headings.pop();
    const heading = this.headings.at(-1)?.place;
    const introducer = kind === 'heading' || kind === 'mark' ? undefined : this.introducer();
    const isPart = introducer !== undefined && IS_INTRODUCED.test(kind) && !needed.includes(introducer);
    const needs = isPart ? [...needed, introducer] : needed;
    const leansOn = links.leansOn ?? introducer;
    const unit: Mutable<Unit> = { start, end, kind, needs };
    if (heading !== undefined) unit.heading = heading;
    if (leansOn !== undefined && !needs.includes(leansOn)) unit.leansOn = leansOn;
    this.units.push(unit);
    for (const by of [introducer, links.announcedBy])
      if (by !== undefined) (this.units[by] as Mutable<Unit>).announces = place;
    if (kind === 'heading') this.headings.push({ level, place });
    return place;
  }

  /** The unit before this point, if it ends with a colon. It announces the next unit. */
  private introducer(): number | undefined {
    const { last } = this;
    return last !== undefined && endsWithColon(this.text, (this.units[last] as Unit).end) ? last : undefined;
  }
}

/** What the readers of structures share: the lines of a text, and the units that were found so far. */
import type { Unit, UnitKind } from '../units.js';
import type { Stray } from './delimited.js';
import { type Line, linesOf } from './lines.js';
import { isLinks } from './links.js';

/** One way in which lines belong together. */
export interface Structure {
  /** Whether one starts at this line. Takes, all calls together, a time linear in the text. */
  starts(page: Page, at: number): boolean;
  /** Adds its units. @returns the place of the line behind it. */
  read(page: Page, at: number): number;
}

interface Links {
  /** Instead of the item that it is in. */
  needs?: readonly number[] | undefined;
  leansOn?: number | undefined;
  /** The unit that cannot do without one like this. */
  announcedBy?: number | undefined;
  /** Of a heading: 0 is the title of the text. */
  level?: number;
}

interface OpenItem {
  readonly place: number;
  readonly marker: string;
  readonly written: number;
  /** As written, or one column deeper where only a colon tells that it belongs to the item before. */
  readonly indent: number;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

const COLON = /(?<![:：])[:：]["'”’)\]*_`]{0,4}$/;
/** Of these what introduces them is a part. */
const IS_INTRODUCED = /^(?:block|fragment|row|record)$/;

/** Does a stretch of text end with a colon, and so announce what comes next? */
export const endsWithColon = (text: string, end: number): boolean => COLON.test(text.slice(end - 6, end));

const MAY_BE_LINKS = /^(?:sentence|item|block)$/;
const NONE: readonly number[] = Object.freeze([]);

export class Page {
  readonly units: Unit[] = [];
  readonly lines: readonly Line[];
  /** Where JSON or XML was looked for in vain: a second look would take a quadratic time. */
  readonly searchedTo = { json: 0, markup: 0 };
  /** Looked for once. */
  stray?: Stray;
  /** Items, outermost first, whose text may go on. */
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

  structureAt(at: number): Structure | undefined {
    if (this.known.at !== at)
      this.known = { at, structure: this.structures.find((structure) => structure.starts(this, at)) };
    return this.known.structure;
  }

  /** Whether a line follows and no blank one is between. */
  touches(at: number): boolean {
    return this.lines[at + 1]?.afterBlank === false;
  }

  /** Whether a line so far in belongs to an item above it. */
  isInItem(indent: number): boolean {
    return this.open[0] !== undefined && this.open[0].indent < indent;
  }

  /** The lines from `at` to `behind`, as one unit. @returns its place. */
  addLines(kind: UnitKind, at: number, behind: number, links: Links = {}): number {
    const { start, indent } = this.lines[at] as Line;
    return this.add(kind, start, (this.lines[behind - 1] as Line).end, indent, links);
  }

  /** @returns the place of the unit. */
  add(kind: UnitKind, start: number, end: number, indent: number, links: Links = {}): number {
    while (this.open.length > 0 && (this.open.at(-1) as OpenItem).indent >= indent) this.open.pop();
    const parent = this.open.at(-1)?.place;
    if (parent === undefined) this.inList = false;
    return this.push(kind, start, end, links, links.needs ?? (parent === undefined ? NONE : [parent]));
  }

  /** An item with its lines. Its marker tells it from items of another list that is written as far in. */
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

  /** The last unit that says something; none behind a heading. */
  get last(): number | undefined {
    let place = this.units.length - 1;
    while (this.units[place]?.kind === 'mark') place--;
    return this.units[place] === undefined || this.units[place]?.kind === 'heading' ? undefined : place;
  }

  private push(given: UnitKind, start: number, end: number, links: Links, needed: readonly number[]): number {
    const place = this.units.length;
    const kind = MAY_BE_LINKS.test(given) && isLinks(this.text.slice(start, end)) ? 'links' : given;
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

  /** The unit before this place, if it ends with a colon: what comes next is what it promises. */
  private introducer(): number | undefined {
    const { last } = this;
    return last !== undefined && endsWithColon(this.text, (this.units[last] as Unit).end) ? last : undefined;
  }
}

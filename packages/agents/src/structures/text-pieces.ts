/** Adds a text to an outline: its paragraphs, list items, rows and blocks of code, with the headings and headers they need. */
import { type Unit, unitsOf } from 'context-shaping/internal';
import { parseJson } from 'context-shaping/kit';
import { addLines, type LineBlock } from './lines.js';
import { type AddText, joinedTitles, type Outline, type Place } from './outline.js';
import type { Cell } from './rarity.js';
import { type TableRange, tablesIn } from './tables.js';

const GAP = '…';
/** A block of code or data is taken apart if it is longer, in characters. */
const LONGEST_BLOCK = 2000;
const LONGEST_TITLE = 200;
/** A paragraph with so many lines is a list of lines, if its lines do not all have about the same length. */
const FEWEST_LINES = 12;

/** @param addInner adds the data or code of a fence, and JSON. */
export function addText(outline: Outline, text: string, place: Place, addInner: AddText): void {
  new TextWriter(outline, text, place, addInner).write();
}

/** The units of one block. */
interface Stretch {
  readonly first: number;
  last: number;
  readonly kind: Unit['kind'];
}

/** A stretch of the text and the white space behind it. */
interface Extent {
  readonly from: number;
  readonly stop: number;
  readonly behind: number;
}

/** A heading with its titles, the outermost first. */
interface Heading {
  readonly group: number;
  readonly level: number;
  readonly titles: string | undefined;
}

class TextWriter {
  readonly #within: number;
  readonly #write: (start: number, end: number) => string;
  /** The headings so far. */
  readonly #headings: Heading[] = [];
  /** The group of the last line, if it announces what follows. */
  #introduction: number | undefined;

  constructor(
    private readonly outline: Outline,
    private readonly text: string,
    private readonly place: Place,
    private readonly addInner: AddText,
  ) {
    this.#within = place.within;
    this.#write = place.write ?? ((start, end) => text.slice(start, end));
  }

  write(): void {
    let at = 0;
    for (const table of tablesIn(this.text)) {
      if (table.start > at) this.#units(at, table.start);
      at = this.#table(table);
    }
    if (at < this.text.length) this.#units(at, this.text.length);
  }

  /** @param mark marks the gap that the stretch leaves. */
  #piece(group: number, { from, stop, behind }: Extent, mark: string): void {
    this.outline.piece(group, this.#write(from, stop), {
      layout: { within: this.#within, after: this.#write(stop, behind), mark },
      write: this.place.encode,
    });
  }

  #titleOf(...titles: readonly (string | undefined)[]): string | undefined {
    return joinedTitles(this.place.title, ...titles);
  }

  /** Adds a table. A row needs the header, which is everything but rows, and the title of its section. */
  #table({ start, end, rows, titleOf, columns, cellsOf }: TableRange): number {
    const { outline, text } = this;
    const heading = this.#headings.at(-1);
    const needs = [this.#within, heading?.group, this.#introduction].filter((need) => need !== undefined);
    const header = outline.group(needs);
    const list = outline.lists++;
    const places: number[] = [];
    const rowCells: Cell[][] = [];
    const titles = new Set(titleOf);
    /** The group of each title of a section, and its text below the titles above it. */
    const sections = new Map<number, { group: number; title: string | undefined }>();
    let at = start;
    const context = (to: number) => {
      if (to > at) this.#piece(header, this.#extent(at, to), '');
      at = to;
    };
    for (const [place, row] of rows.entries()) {
      context(row.start);
      const section = sections.get(titleOf[place] ?? -1);
      const group = outline.group(section === undefined ? [header] : [header, section.group]);
      const shown = text.slice(row.start, row.end);
      const cells = cellsOf(shown).map((cell, column): Cell => [columns[column] ?? '', cell]);
      if (titles.has(place))
        sections.set(place, { group, title: joinedTitles(section?.title, cells[0]?.[1]) });
      else {
        places.push(outline.blocks.length);
        rowCells.push(cells);
        const named = cells.flatMap(([name, cell]) => {
          if (cell === '') return [];
          return [name === '' || name === cell ? cell : `${name}: ${cell}`];
        });
        outline.block(group, {
          text: named.length === 0 ? shown : named.join('; '),
          shown,
          cuttable: false,
          isText: true,
          title: this.#titleOf(heading?.titles, section?.title),
          list,
        });
      }
      const behind = behindLine(text, row.end);
      this.#piece(group, { from: row.start, stop: row.end, behind }, '');
      at = behind;
    }
    context(Math.max(at, behindLine(text, end)));
    outline.standOut(places, rowCells);
    this.#introduction = undefined;
    return at;
  }

  /** A stretch without the white space at its end. */
  #extent(from: number, behind: number): Extent {
    return { from, stop: from + this.text.slice(from, behind).trimEnd().length, behind };
  }

  #units(begin: number, end: number): void {
    const { outline } = this;
    const text = this.text.slice(begin, end);
    const units = unitsOf(text);
    if (units.length === 0) {
      outline.piece(this.#within, this.#write(begin, end));
      return;
    }
    const groupOf: number[] = [];
    const list = outline.lists++;
    const stretches = stretchesOf(text, units);
    const headings = new Map<number, Heading>();
    // The last heading is that of the table that follows.
    const filled = filledHeadings(units, end < this.text.length);
    for (const [at, { first, last, kind }] of stretches.entries()) {
      const needs = new Set<number>([this.#within]);
      for (const { needs: needed, heading } of units.slice(first, last + 1)) {
        for (const need of needed) if (need < first) needs.add(groupOf[need] as number);
        if (heading !== undefined && heading < first) needs.add(groupOf[heading] as number);
      }
      const { start } = units[first] as Unit;
      const { end: stop } = units[last] as Unit;
      const shown = text.slice(start, stop);
      const { heading } = units[first] as Unit;
      const level = kind === 'heading' ? levelOf(shown) : Number.POSITIVE_INFINITY;
      // A stretch between tables has the headings before them.
      const above =
        heading === undefined ? this.#headings.findLast((each) => each.level < level) : headings.get(heading);
      if (above !== undefined) needs.add(above.group);
      const group = outline.group([...needs]);
      for (let unit = first; unit <= last; unit++) groupOf[unit] = group;
      const next = stretches[at + 1];
      const extent: Extent = {
        // White space before the text belongs to its first piece.
        from: begin + (at === 0 ? 0 : start),
        stop: begin + stop,
        behind: next === undefined ? end : begin + (units[next.first] as Unit).start,
      };
      this.#introduction = /[:：]$/.test(shown) ? group : undefined;
      if (kind === 'heading' && filled.has(first)) {
        this.#piece(group, extent, '');
        const own = { group, level, titles: joinedTitles(above?.titles, titleIn(shown)) };
        headings.set(first, own);
        this.#headings.push(own);
        continue;
      }
      const title = this.#titleOf(above?.titles);
      const isPlain = kind !== 'block' && kind !== 'fragment';
      if (this.#apart(group, extent, { isPlain, title, list })) continue;
      outline.block(group, {
        text: shown,
        shown,
        // A monster of one line is better cut than left out.
        cuttable: isPlain || shown.length > LONGEST_BLOCK,
        isText: true,
        title,
        list,
      });
      this.#piece(group, extent, GAP);
    }
  }

  /**
   * Takes a long stretch apart: JSON into its elements, other data and code into paragraphs or lines, in their fence.
   *
   * @returns false if the stretch is to stay one block.
   */
  #apart(
    group: number,
    { from, stop, behind }: Extent,
    { isPlain, title, list }: { isPlain: boolean; title: string | undefined; list: number },
  ): boolean {
    const source = this.text.slice(from, stop);
    if (isPlain ? !isLineList(source) : source.length <= LONGEST_BLOCK) return false;
    const fence = /^\s*(?:`{3}|~{3})[^\n]*\n/.exec(source);
    const closing = fence === null ? null : /\n[ \t]*(?:`{3,}|~{3,})[ \t]*$/.exec(source);
    const inner = { from: from + (fence?.[0].length ?? 0), stop: stop - (closing?.[0].length ?? 0) };
    const body = this.text.slice(inner.from, inner.stop);
    const isData = fence !== null || (/^\s*[[{]/.test(body) && parseJson(body) !== undefined);
    const before = this.outline.blocks.length;
    if (!isData && !body.includes('\n')) return false;
    if (inner.from > from) this.#piece(group, { from, stop: inner.from, behind: inner.from }, '');
    const write = (start: number, end: number) => this.#write(inner.from + start, inner.from + end);
    const place = { within: group, title, write, encode: this.place.encode };
    if (isData) this.addInner(this.outline, body, place);
    else addLines(this.outline, body, place, { blocks: filledLines(body), rank: null });
    // A value without lists: it stays whole.
    if (this.outline.blocks.length === before)
      this.outline.block(group, { text: body, shown: body, cuttable: false, title, list });
    this.#piece(group, { from: inner.stop, stop, behind }, '');
    return true;
  }
}

/** The offset behind the line breaks that follow. */
function behindLine(text: string, from: number): number {
  let end = from;
  for (let at = from; at < text.length && /\s/.test(text[at] as string); at++)
    if (text[at] === '\n') end = at + 1;
  return end;
}

/** Lines of a log or a list of files, not lines of prose that were broken at one width. */
function isLineList(source: string): boolean {
  const lines = source.split('\n');
  if (lines.length < FEWEST_LINES) return false;
  const longest = lines.reduce((most, { length }) => Math.max(most, length), 0);
  const full = lines.filter(({ length }) => length >= longest * 0.75).length;
  return longest > 120 || full < lines.length * 0.6;
}

/** The lines of a text, each with the blank ones behind it. */
function filledLines(body: string): LineBlock[] {
  const lines = body.split('\n');
  const filled = [...lines.keys()].filter((at) => at === 0 || lines[at]?.trim() !== '');
  return filled.map((at, place) => ({ first: at + 1, last: filled[place + 1] ?? lines.length }));
}

/** Sentences of one paragraph are one stretch, and an item is one with the items below it. */
function stretchesOf(text: string, units: readonly Unit[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const [at, { kind, start, needs }] of units.entries()) {
    const last = stretches.at(-1);
    const between = last === undefined ? '' : text.slice((units[last.last] as Unit).end, start);
    const continues =
      last !== undefined &&
      ((isProse(kind) && isProse(last.kind) && !/\n\s*\n/.test(between)) ||
        (kind === 'item' && last.kind === 'item' && needs.some((need) => need >= last.first)) ||
        kind === 'mark');
    if (continues) last.last = at;
    else stretches.push({ first: at, last: at, kind });
  }
  return stretches;
}

const isProse = (kind: Unit['kind']) => kind === 'sentence';

/** Headings with something below them. */
function filledHeadings(units: readonly Unit[], isLastFilled: boolean): ReadonlySet<number> {
  const filled = new Set<number>();
  if (isLastFilled && units.at(-1)?.kind === 'heading') filled.add(units.length - 1);
  for (const [at, { kind, heading }] of [...units.entries()].reverse())
    if (heading !== undefined && (kind !== 'heading' || filled.has(at))) filled.add(heading);
  return filled;
}

/** A heading without signs has the level of its second form. */
const levelOf = (heading: string): number => /^\s*(#+)/.exec(heading)?.[1]?.length ?? 2;

const titleIn = (heading: string) =>
  heading
    .slice(0, LONGEST_TITLE)
    .replace(/^[#*_\s]+/, '')
    .replace(/(?<![\s#*_=-])[\s#*_=-]+$/, '')
    .trim();

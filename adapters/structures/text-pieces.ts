/** Adds a text to an outline: its paragraphs, list items, rows and blocks of code, with the headings and headers they need. */
import { cellsIn, fieldsIn, type Unit, unitsOf } from '../../src/internal.js';
import { addFacets } from './facets.js';
import { type Outline, ROOT } from './outline.js';

/** Where and how the text is written. */
interface Place {
  /** The group that the text needs. */
  readonly within: number;
  /** The title of the record that the text is from. */
  readonly title?: string | undefined;
  /** Writes a stretch of the text. Default: as it is. */
  readonly write?: ((start: number, end: number) => string) | undefined;
  /** Writes another text in its place. Default: as it is. */
  readonly encode?: ((text: string) => string) | undefined;
}

const GAP = '…';

/** The units of one block. */
interface Stretch {
  readonly first: number;
  last: number;
  readonly kind: Unit['kind'];
}

export function addText(outline: Outline, text: string, place: Place = { within: ROOT }): void {
  const units = unitsOf(text);
  const { within, write = (start, end) => text.slice(start, end), encode = (cut) => cut } = place;
  const stretches = stretchesOf(text, units);
  const groupOf: number[] = [];
  const tables = new Tables(text, units);
  const list = outline.lists++;
  let end = 0;
  for (const [at, { first, last, kind }] of stretches.entries()) {
    const members = units.slice(first, last + 1);
    const needs = new Set<number>([within]);
    for (const { needs: needed, heading } of members)
      for (const need of [...needed, ...(heading === undefined ? [] : [heading])])
        if (need < first) needs.add(groupOf[need] as number);
    const group = outline.group([...needs]);
    for (let unit = first; unit <= last; unit++) groupOf[unit] = group;
    const { start } = members[0] as Unit;
    const stop = (members.at(-1) as Unit).end;
    const behind = stretches[at + 1] === undefined ? text.length : (units[last + 1] as Unit).start;
    // White space before the text belongs to its first piece.
    const from = at === 0 ? 0 : start;
    end = behind;
    const isRow = tables.tableOf(first) !== undefined;
    const isContext = kind === 'heading' || tables.isHeader(first);
    outline.piece(group, write(from, stop), {
      layout: { within, after: write(stop, behind), mark: isRow || isContext ? '' : GAP },
      write: encode,
    });
    if (isContext) continue;
    const shown = text.slice(start, stop);
    const table = tables.tableOf(first);
    const readable = table === undefined ? shown : tables.readable(first);
    const title = [place.title, headingOf(text, units, first), tables.caption(first)]
      .filter(Boolean)
      .join(' › ');
    const block = outline.block(group, {
      text: readable,
      shown,
      cuttable: !isRow && kind !== 'block' && kind !== 'fragment' && kind !== 'record',
      title: title === '' ? undefined : title,
      list: table === undefined ? list : list + 1 + table,
    });
    tables.seen(first, block);
    outline.lists = Math.max(outline.lists, list + 2 + (table ?? 0));
  }
  if (end < text.length) outline.piece(within, write(end, text.length));
  for (const { columns, rows } of tables.all()) addFacets(outline, columns, rows);
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

const isProse = (kind: Unit['kind']) => kind === 'sentence' || kind === 'links';

/** The headings above a unit, outermost first. */
function headingOf(text: string, units: readonly Unit[], at: number): string {
  const path: string[] = [];
  for (
    let place = units[at]?.heading;
    place !== undefined && path.length < 8;
    place = units[place]?.heading
  ) {
    const { start, end } = units[place] as Unit;
    path.unshift(
      text
        .slice(start, end)
        .replace(/^[#*_\s]+|[\s#*_=-]+$/g, '')
        .trim(),
    );
  }
  return path.join(' › ');
}

interface Table {
  /** Units of the header rows. */
  readonly header: number[];
  columns: string[];
  readonly delimiter: string | undefined;
  readonly rows: { block: number; cells: readonly string[] }[];
}

/** The tables among the units: rows or records that follow each other. */
class Tables {
  readonly #tables: Table[] = [];
  readonly #tableOf: (number | undefined)[] = [];
  readonly #headers = new Set<number>();

  constructor(
    private readonly text: string,
    private readonly units: readonly Unit[],
  ) {
    const needed = new Set(units.flatMap(({ needs }) => needs));
    for (const [at, unit] of units.entries()) {
      if (unit.kind !== 'row' && unit.kind !== 'record') continue;
      const isHead = needed.has(at);
      const above = this.#tableOf[at - 1];
      const before = units[at - 1];
      const continues =
        above !== undefined &&
        before?.kind === unit.kind &&
        !/\n\s*\n/.test(text.slice(before.end, unit.start));
      if (!continues)
        this.#tables.push({
          header: [],
          columns: [],
          delimiter: delimiterOf(this.#source(at), unit.kind),
          rows: [],
        });
      const table = this.#tables.at(-1) as Table;
      this.#tableOf[at] = this.#tables.length - 1;
      if (!isHead) continue;
      this.#headers.add(at);
      // A row that needs the header and is needed by others is the title of a section.
      if (table.rows.length === 0 && table.header.length === (continues ? at - this.#first(at) : 0)) {
        table.header.push(at);
        for (const [column, cell] of this.#cells(at).entries())
          table.columns[column] = [table.columns[column], cell].filter(Boolean).join(' ');
      }
    }
  }

  #first(at: number): number {
    let first = at;
    while (this.#tableOf[first - 1] === this.#tableOf[at]) first--;
    return first;
  }

  #source(at: number): string {
    const { start, end } = this.units[at] as Unit;
    return this.text.slice(start, end);
  }

  #cells(at: number): string[] {
    const { delimiter } = this.#tables[this.#tableOf[at] as number] as Table;
    const source = this.#source(at);
    if (delimiter === undefined) return cellsIn((source.split('\n', 1)[0] ?? '').trim());
    return fieldsIn(source, delimiter);
  }

  isHeader(at: number): boolean {
    return this.#headers.has(at);
  }

  tableOf(at: number): number | undefined {
    return this.#tableOf[at];
  }

  /** The row with the names of its columns and the titles of its sections. */
  readable(at: number): string {
    const { columns } = this.#tables[this.#tableOf[at] as number] as Table;
    const cells = this.#cells(at).map((cell, column) => ({ cell, name: columns[column] ?? '' }));
    const named = cells.flatMap(({ cell, name }) =>
      cell === '' ? [] : [name === '' || name === cell ? cell : `${name}: ${cell}`],
    );
    return named.length === 0 ? this.#source(at) : named.join('; ');
  }

  /** The titles of the sections of the row. */
  caption(at: number): string | undefined {
    const { needs } = this.units[at] as Unit;
    const titles = needs.filter((need) => this.#tableOf[need] === undefined || !this.#isHead(need));
    return titles.length === 0
      ? undefined
      : titles
          .map((need) =>
            this.#tableOf[need] === undefined ? this.#source(need) : (this.#cells(need)[0] ?? ''),
          )
          .join(' › ');
  }

  #isHead(at: number): boolean {
    const table = this.#tables[this.#tableOf[at] ?? -1];
    return table?.header.includes(at) === true;
  }

  seen(at: number, block: number): void {
    const table = this.#tables[this.#tableOf[at] ?? -1];
    table?.rows.push({ block, cells: this.#cells(at) });
  }

  all(): readonly Table[] {
    return this.#tables;
  }
}

/** Undefined: cells between pipes. */
function delimiterOf(header: string, kind: Unit['kind']): string | undefined {
  if (kind === 'row') return undefined;
  const counts = ['\t', ';', '|', ','].map((delimiter) => ({
    delimiter,
    count: header.replace(/"[^"]*"/g, '').split(delimiter).length,
  }));
  return counts.reduce((best, each) => (each.count > best.count ? each : best)).delimiter;
}

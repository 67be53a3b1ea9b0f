/** Tables that the core reads: pipe tables and delimited values. */
import { cellsIn, type Unit } from 'context-shaping/internal';
import type { Cell } from './rarity.js';

interface Table {
  /** Its first unit. */
  readonly first: number;
  /** Units of the header rows. */
  readonly header: number[];
  columns: string[];
  readonly delimiter: string | undefined;
}

/** The tables among the units: rows or records that follow each other. */
export class UnitTables {
  readonly #tables: Table[] = [];
  readonly #tableOf: (number | undefined)[] = [];
  readonly #headers = new Set<number>();

  constructor(
    private readonly text: string,
    private readonly units: readonly Unit[],
  ) {
    const needed = new Set(units.flatMap(({ needs }) => needs));
    for (const [at, unit] of units.entries()) {
      if (unit.kind === 'mark') this.#addDelimiterRow(at);
      if (unit.kind !== 'row' && unit.kind !== 'record') continue;
      const isHead = needed.has(at);
      const above = this.#tableOf[at - 1];
      const before = units[at - 1];
      const continues =
        above !== undefined &&
        (before?.kind === unit.kind || before?.kind === 'mark') &&
        !/\n\s*\n/.test(text.slice(before.end, unit.start));
      if (!continues)
        this.#tables.push({
          first: at,
          header: [],
          columns: [],
          delimiter: delimiterOf(this.#source(at), unit.kind),
        });
      const table = this.#tables.at(-1) as Table;
      this.#tableOf[at] = this.#tables.length - 1;
      if (!isHead) continue;
      this.#headers.add(at);
      // A row that needs the header and is needed by others is the title of a section.
      if (table.header.length === at - table.first) {
        table.header.push(at);
        for (const [column, cell] of this.#cells(at).entries())
          table.columns[column] = [table.columns[column], cell].filter(Boolean).join(' ');
      }
    }
  }

  /** A mark that needs the header of a table is the delimiter row below it, and belongs to the header. */
  #addDelimiterRow(at: number): void {
    const table = this.#tableOf[(this.units[at] as Unit).needs[0] ?? -1];
    if (table === undefined) return;
    this.#tableOf[at] = table;
    this.#headers.add(at);
    this.#tables[table]?.header.push(at);
  }

  #source(at: number): string {
    const { start, end } = this.units[at] as Unit;
    return this.text.slice(start, end);
  }

  #cells(at: number): string[] {
    const { delimiter } = this.#tables[this.#tableOf[at] as number] as Table;
    const source = this.#source(at);
    const row = delimiter === undefined ? (source.split('\n', 1)[0] ?? '').trim() : source;
    return cellsIn(row, delimiter);
  }

  isHeader(at: number): boolean {
    return this.#headers.has(at);
  }

  tableOf(at: number): number | undefined {
    return this.#tableOf[at];
  }

  /** The cells of a row with the names of their columns. */
  cells(at: number): Cell[] {
    const { columns } = this.#tables[this.#tableOf[at] as number] as Table;
    return this.#cells(at).map((cell, column) => [columns[column] ?? '', cell]);
  }

  /** The row with the names of its columns and the titles of its sections. */
  readable(at: number): string {
    const named = this.cells(at).flatMap(([name, cell]) =>
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

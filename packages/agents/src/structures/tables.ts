/**
 * Tables in texts: those of Markdown, psql and MySQL, columns between runs of spaces (`kubectl get`, `docker ps`), and
 * delimited values.
 */
import { cellsIn, tableLayout } from 'context-shaping/internal';

/** A table in a text, as offsets. Ranges are ascending and disjoint. */
export interface TableRange {
  readonly start: number;
  readonly end: number;
  /** Those below the header. */
  readonly rows: readonly Range[];
  /** For each row, the one that is the title of its section. */
  readonly titleOf: readonly (number | undefined)[];
  /** The names of the columns. */
  readonly columns: readonly string[];
  cellsOf(row: string): string[];
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** A line without its line break. */
interface Line extends Range {
  readonly text: string;
}

const FENCE = /^\s*(?:`{3,}|~{3,})/;
const FEWEST_ROWS = 3;
/** Least share of rows with as many cells as the header, in columns of a terminal and between delimiters. */
const EQUAL = 0.8;
const HALF = 0.5;
const LONGEST_NAME = 40;
/** Longer cells behind a comma and a space are clauses of sentences. */
const LONGEST_SPACED = 32;

export function tablesIn(text: string): TableRange[] {
  const found = [...runsOf(text)].flatMap((run) => tableOf(text, run) ?? []);
  return found.filter(({ rows }) => rows.length > 1);
}

/** Lines without a blank line between them, outside fences. */
function* runsOf(text: string): Generator<Line[]> {
  const run: Line[] = [];
  let isFenced = false;
  for (const { index: start, 0: line } of text.matchAll(/[^\r\n]+|\n\r?\n?|\r/g)) {
    const isFence = FENCE.test(line);
    if (isFence) isFenced = !isFenced;
    if (line === '\n' || line === '\r') continue;
    if (!isFence && !isFenced && line.trim() !== '')
      run.push({ start, end: start + line.length, text: line });
    else if (run.length > 0) yield run.splice(0);
  }
  if (run.length > 0) yield run;
}

/** A rule below a header between pipes, or else values between one delimiter. */
function tableOf(text: string, run: readonly Line[]): TableRange | undefined {
  const rule = run.findIndex((line, at) => at > 0 && isRule(line) && run[at - 1]?.text.includes('|'));
  if (rule > 0) {
    // Below a table of Markdown, a line without a pipe is a paragraph. Below one of psql, it counts the rows.
    const isOver = (line: Line, at: number) => at > rule && !line.text.includes('|');
    const behind = run[rule]?.text.includes('+') ? -1 : run.findIndex(isOver);
    const own = run.slice(0, behind < 0 ? run.length : behind);
    const rows = own.slice(rule + 1).filter((line) => line.text.includes('|') && !isRule(line));
    // A rule above the header belongs to the table.
    const first = rule > 1 && isRule(run[rule - 2] as Line) ? rule - 2 : rule - 1;
    const cellsOf = (row: string) => cellsIn(row.trim());
    return ranged(text, own.slice(first), rows, cellsOf((run[rule - 1] as Line).text), cellsOf);
  }
  const records = recordsIn(run);
  for (const delimiter of [/ {2,}|\t+/, '\t', ';', '|', ',']) {
    const isAligned = typeof delimiter !== 'string';
    const cellsOf = isAligned
      ? (row: string) => row.trim().split(delimiter)
      : (row: string) => cellsIn(row, delimiter);
    const [header, ...rows] = isAligned ? run : records;
    if (header === undefined || rows.length < FEWEST_ROWS) continue;
    const names = text.slice(header.start, header.end);
    const columns = cellsOf(names);
    if (columns.length < (isAligned ? 3 : 2) || !areNames(columns)) continue;
    const cells = rows.map(({ start, end }) => cellsOf(text.slice(start, end)));
    const equal = cells.filter(({ length }) => length === columns.length).length;
    const isWhole = equal === rows.length;
    const isSpaced = !isAligned && names.includes(`${delimiter} `);
    const least = isAligned ? EQUAL : HALF;
    const isTable =
      columns.length > 2 &&
      equal >= rows.length * least &&
      (isAligned || cells.every(({ length }) => length > 1));
    const areShort = () => cells.flat().every(({ length }) => length <= LONGEST_SPACED);
    if (isSpaced ? isWhole && columns.length > 2 && areShort() : isTable || isWhole)
      return ranged(text, run, rows, columns, cellsOf);
  }
  return undefined;
}

const isRule = ({ text }: Line) =>
  /^[-+|: \t]+$/.test(text) &&
  (text.includes('+') ? text.includes('--') : text.includes('-') && text.includes('|'));

const areNames = (columns: readonly string[]) =>
  new Set(columns).size === columns.length &&
  columns.every((name) => name !== '' && name.length <= LONGEST_NAME && !/[.!?:]$/.test(name));

/** Lines as records: a quoted value may have line breaks. */
function recordsIn(run: readonly Line[]): readonly Range[] {
  const records: Range[] = [];
  let open: number | undefined;
  for (const { start, end, text } of run) {
    const begins = open ?? start;
    const isOpen = (text.split('"').length % 2 === 0) !== (open !== undefined);
    if (!isOpen) records.push({ start: begins, end });
    open = isOpen ? begins : undefined;
  }
  return open === undefined ? records : run;
}

/** The header may go on in the first rows. */
function ranged(
  text: string,
  run: readonly Line[],
  below: readonly Range[],
  names: readonly string[],
  cellsOf: (row: string) => string[],
): TableRange {
  const cells = [names, ...below.map(({ start, end }) => cellsOf(text.slice(start, end)))];
  const { headerRows, titleOf } = tableLayout(cells, true);
  return {
    start: run[0]?.start ?? 0,
    end: run.at(-1)?.end ?? 0,
    rows: below.slice(headerRows - 1),
    titleOf: titleOf.slice(headerRows).map((at) => (at === undefined ? undefined : at - headerRows)),
    columns: joinedCells(cells.slice(0, headerRows)),
    cellsOf,
  };
}

/** The cells of several rows of a header, by column. */
const joinedCells = ([first = [], ...more]: readonly (readonly string[])[]): string[] =>
  first.map((name, column) => [name, ...more.map((row) => row[column])].filter(Boolean).join(' '));

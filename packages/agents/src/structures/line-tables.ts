/**
 * Tables that are no Markdown: those of psql and MySQL, columns between runs of spaces (`kubectl get`, `docker ps`), lines
 * of two delimited values, and HTML.
 */

/** A table in a text, as offsets. Ranges are ascending and disjoint. */
export interface TableRange {
  readonly start: number;
  readonly end: number;
  readonly rows: readonly Range[];
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

/** The tables of a text that the units of the core do not have. */
export function lineTables(text: string): TableRange[] {
  const html = htmlTables(text);
  const found = html.length > 0 ? html : [...runsOf(text)].flatMap((run) => tableOf(run) ?? []);
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

/** A rule with crosses below a header, or else values between one delimiter. */
function tableOf(run: readonly Line[]): TableRange | undefined {
  const rule = run.findIndex((line, at) => at > 0 && isRule(line) && run[at - 1]?.text.includes('|'));
  if (rule > 0) {
    const rows = run.slice(rule + 1).filter((line) => line.text.includes('|') && !isRule(line));
    const cellsOf = (row: string) => {
      const cells = row.split('|').map((cell) => cell.trim());
      return row.trimStart().startsWith('|') ? cells.slice(1, -1) : cells;
    };
    // A rule above the header belongs to the table.
    const first = rule > 1 && isRule(run[rule - 2] as Line) ? rule - 2 : rule - 1;
    return ranged(run.slice(first), rows, cellsOf((run[rule - 1] as Line).text), cellsOf);
  }
  const [header, ...rows] = run;
  if (header === undefined || rows.length < FEWEST_ROWS) return undefined;
  for (const delimiter of [/ {2,}|\t+/, '\t', ';', ',']) {
    const isAligned = typeof delimiter !== 'string';
    const cellsOf = (row: string) =>
      row
        .trim()
        .split(delimiter)
        .map((cell) => cell.trim());
    const columns = cellsOf(header.text);
    if (columns.length < (isAligned ? 3 : 2) || !areNames(columns)) continue;
    if (!isAligned && (run.some(({ text }) => text.includes('"')) || header.text.includes(`${delimiter} `)))
      continue;
    const counts = rows.map(({ text }) => cellsOf(text).length);
    const equal = counts.filter((count) => count === columns.length).length;
    const isWhole = equal === rows.length;
    // The core reads whole tables of three columns and more, with their sections.
    if (!isAligned && isWhole && columns.length > 2) return undefined;
    const least = isAligned ? EQUAL : HALF;
    const isTable = columns.length > 2 && equal >= rows.length * least && (isAligned || !counts.includes(1));
    if (isTable || isWhole) return ranged(run, rows, columns, cellsOf);
  }
  return undefined;
}

const isRule = ({ text }: Line) => text.includes('--') && text.includes('+') && /^[-+| \t]+$/.test(text);

const areNames = (columns: readonly string[]) =>
  new Set(columns).size === columns.length &&
  columns.every((name) => name !== '' && name.length <= LONGEST_NAME && !/[.!?:]$/.test(name));

function ranged(
  run: readonly Line[],
  rows: readonly Range[],
  columns: readonly string[],
  cellsOf: (row: string) => string[],
): TableRange {
  return { start: run[0]?.start ?? 0, end: run.at(-1)?.end ?? 0, rows, columns, cellsOf };
}

const TAG = /<(\/?)(table|tr|td)\b[^<>]*>?/gi;

/** Tables of HTML without tables in them. The rows before the first with a value are the header. */
function htmlTables(text: string): TableRange[] {
  const tables: TableRange[] = [];
  let table: { start: number; rows: Range[]; headers: number } | undefined;
  let row: { start: number; hasValue: boolean } | undefined;
  const endRow = (end: number) => {
    if (row !== undefined && table !== undefined) {
      if (!row.hasValue && table.headers === table.rows.length) table.headers++;
      table.rows.push({ start: row.start, end });
    }
    row = undefined;
  };
  for (const { 0: tag, 1: slash, 2: name = '', index } of text.matchAll(TAG)) {
    const isEnd = slash !== '';
    const behind = index + tag.length;
    if (/td/i.test(name)) {
      if (row !== undefined) row.hasValue = true;
    } else if (/tr/i.test(name)) {
      endRow(isEnd ? behind : index);
      if (!isEnd && table !== undefined) row = { start: index, hasValue: false };
    } else {
      endRow(index);
      if (isEnd && table !== undefined) {
        const { start, rows } = table;
        const headers = Math.max(1, table.headers);
        const columns: string[] = [];
        for (const each of rows.slice(0, headers))
          for (const [at, cell] of htmlCells(text.slice(each.start, each.end)).entries())
            columns[at] = [columns[at], cell].filter(Boolean).join(' ');
        tables.push({ start, end: behind, rows: rows.slice(headers), columns, cellsOf: htmlCells });
      }
      // A table in another one begins anew: the outer one is left as it is.
      table = isEnd ? undefined : { start: index, rows: [], headers: 0 };
    }
  }
  return tables;
}

const htmlCells = (row: string) =>
  row
    .split(/<t[hd]\b[^>]*>/i)
    .slice(1)
    .map((cell) =>
      cell
        .replace(/<[^<>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    );

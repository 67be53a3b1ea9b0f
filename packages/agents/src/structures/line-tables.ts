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
/** Least share of rows with as many cells as the header. */
const EQUAL = 0.8;
const LONGEST_NAME = 40;

/** The tables of a text that the units of the core do not have. */
export function lineTables(text: string): TableRange[] {
  const html = htmlTables(text);
  const found = html.length > 0 ? html : [...runsOf(text)].flatMap((run) => tableOf(run) ?? []);
  return found.filter(({ rows }) => rows.length > 1);
}

/** Lines without a blank line between them, outside fences. */
function* runsOf(text: string): Generator<Line[]> {
  let run: Line[] = [];
  let isFenced = false;
  for (let start = 0; start <= text.length; ) {
    const found = text.indexOf('\n', start);
    const stop = found < 0 ? text.length : found;
    const end = text[stop - 1] === '\r' && stop > start ? stop - 1 : stop;
    const line = text.slice(start, end);
    const isFence = FENCE.test(line);
    if (isFence) isFenced = !isFenced;
    if (isFence || isFenced || line.trim() === '') {
      if (run.length > 0) yield run;
      run = [];
    } else run.push({ start, end, text: line });
    start = stop + 1;
  }
  if (run.length > 0) yield run;
}

function tableOf(run: readonly Line[]): TableRange | undefined {
  return ruled(run) ?? aligned(run) ?? pairs(run);
}

/** A header, a rule with crosses, rows. */
function ruled(run: readonly Line[]): TableRange | undefined {
  const rule = run.findIndex((line, at) => at > 0 && isRule(line) && run[at - 1]?.text.includes('|'));
  if (rule < 1) return undefined;
  const header = run[rule - 1] as Line;
  const rows = run.slice(rule + 1).filter((line) => line.text.includes('|') && !isRule(line));
  const cellsOf = (row: string) => {
    const cells = row.split('|').map((cell) => cell.trim());
    return row.trimStart().startsWith('|') ? cells.slice(1, -1) : cells;
  };
  // A rule above the header belongs to the table.
  const first = rule > 1 && isRule(run[rule - 2] as Line) ? rule - 2 : rule - 1;
  return ranged(run.slice(first), rows, cellsOf(header.text), cellsOf);
}

const isRule = ({ text }: Line) => text.includes('--') && text.includes('+') && /^[-+| \t]+$/.test(text);

/** Cells between runs of spaces. The first line is the header. */
function aligned(run: readonly Line[]): TableRange | undefined {
  const cellsOf = (row: string) => row.trim().split(/ {2,}|\t+/);
  const columns = cellsOf(run[0]?.text ?? '');
  if (columns.length < 3 || !areNames(columns)) return undefined;
  const rows = run.slice(1);
  const equal = rows.filter(({ text }) => cellsOf(text).length === columns.length);
  if (rows.length < FEWEST_ROWS || equal.length < rows.length * EQUAL) return undefined;
  return ranged(run, rows, columns, cellsOf);
}

/** Two values on each line, between tabs, semicolons or commas, or lines of which some lack a value. */
function pairs(run: readonly Line[]): TableRange | undefined {
  const [header, ...rows] = run;
  if (header === undefined || rows.length < FEWEST_ROWS || run.some(({ text }) => text.includes('"')))
    return undefined;
  for (const delimiter of ['\t', ';', ',']) {
    const cellsOf = (row: string) => row.split(delimiter).map((cell) => cell.trim());
    const columns = cellsOf(header.text);
    if (columns.length < 2 || !areNames(columns)) continue;
    if (delimiter !== '\t' && header.text.includes(`${delimiter} `)) continue;
    const counts = rows.map(({ text }) => cellsOf(text).length);
    const equal = counts.filter((count) => count === columns.length).length;
    const isWhole = equal === rows.length;
    // The core reads whole tables of three columns and more, with their sections.
    if (isWhole && columns.length > 2) return undefined;
    if (isWhole || (columns.length > 2 && equal >= rows.length / 2 && Math.min(...counts) > 1))
      return ranged(run, rows, columns, cellsOf);
  }
  return undefined;
}

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

/** Tables of HTML without tables in them. The rows before the first with a value are the header. */
function htmlTables(text: string): TableRange[] {
  const tables: TableRange[] = [];
  if (!/<table/i.test(text)) return tables;
  // Other letters may change their length.
  const lower = text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const known = new Map<string, number>();
  /** Offsets ascend for each tag, so nothing is searched twice. */
  const next = (tag: string, from: number) => {
    const last = known.get(tag) ?? -1;
    if (last >= from) return last;
    const found = lower.indexOf(tag, from);
    const at = found < 0 ? text.length : found;
    known.set(tag, at);
    return at;
  };
  for (let start = next('<table', 0); start < text.length; ) {
    const close = next('</table', start);
    const end = tagEnd(text, close, '</table');
    const isNested = next('<table', start + 1) < close;
    const rows: Range[] = [];
    for (let row = next('<tr', start); row < close && !isNested; ) {
      const behind = next('<tr', row + 1);
      const closing = next('</tr', row);
      const stop =
        closing < Math.min(behind, close) ? tagEnd(text, closing, '</tr') : Math.min(behind, close);
      rows.push({ start: row, end: stop });
      row = behind;
    }
    const isHeader = ({ start: from, end: to }: Range) => !lower.slice(from, to).includes('<td');
    const first = rows.findIndex((row) => !isHeader(row));
    const headers = Math.max(1, first < 0 ? rows.length : first);
    const columns: string[] = [];
    for (const row of rows.slice(0, headers))
      for (const [at, cell] of htmlCells(text.slice(row.start, row.end)).entries())
        columns[at] = [columns[at], cell].filter(Boolean).join(' ');
    tables.push({ start, end, rows: rows.slice(headers), columns, cellsOf: htmlCells });
    start = next('<table', isNested ? end : Math.max(end, start + 1));
  }
  return tables;
}

/** The offset behind a closing tag. */
function tagEnd(text: string, at: number, tag: string): number {
  let end = Math.min(text.length, at + tag.length);
  while (/\s/.test(text[end] ?? '')) end++;
  return text[end] === '>' ? end + 1 : end;
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

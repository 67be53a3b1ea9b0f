/**
 * Tables: rows that a header explains.
 *
 * Source: GitHub Flavored Markdown 0.29, 4.10 (tables); RFC 4180 (comma-separated values).
 */
import type { Line } from './lines.js';
import type { Page, Structure } from './page.js';

/** Least number of records. Commas in fewer lines are those of a sentence. */
const FEWEST_RECORDS = 3;
const FEWEST_DELIMITERS = 2;
/** The longest field if a space follows the comma. Longer fields are clauses. */
const LONGEST_SPACED_FIELD = 32;

/**
 * Tables of pipes. The rows need the header, and refer to the delimiter row below it, without which a table is not
 * rendered but can still be read. Rows without a header are the remainder of a table that was cut.
 */
export const pipeTable: Structure = {
  starts: (page, at) => hasHeader(page, at) || isBareRow(page.lines[at] as Line),
  read(page, at) {
    const isHeaded = hasHeader(page, at);
    let behind = isHeaded ? at + 2 : at + 1;
    while (
      page.touches(behind - 1) &&
      page.lines[behind]?.text.includes('|') &&
      (isHeaded || !hasHeader(page, behind))
    )
      behind++;
    const rows = Array.from({ length: behind - at }, (_, row) => ({ at: at + row, behind: at + row + 1 }));
    const [delimiterRow] = isHeaded ? rows.splice(1, 1) : [];
    addTable(page, 'row', rows, { isHeaded, delimiterRow }, ({ at: row }) =>
      cellsIn((page.lines[row] as Line).text),
    );
    return behind;
  },
};

/** Comma-, semicolon-, pipe- or tab-separated values. The first line is the header. */
export const separatedValues: Structure = {
  starts: (page, at) => delimiterAt(page, at) !== undefined,
  read(page, at) {
    const delimiter = delimiterAt(page, at) as string;
    const first = recordAt(page, at, delimiter);
    const records = [{ at, behind: first.behind }];
    let next = first.behind;
    while (page.touches(next - 1)) {
      const { count, behind } = recordAt(page, next, delimiter);
      if (count !== first.count) break;
      records.push({ at: next, behind });
      next = behind;
    }
    addTable(page, 'record', records, { isHeaded: true }, (record) =>
      cellsIn(textOf(page, record, delimiter), delimiter),
    );
    return next;
  },
};

/** The lines of a row, from `at` to `behind` (exclusive). */
interface Row {
  readonly at: number;
  readonly behind: number;
}

/**
 * Adds the rows of a table as units. A header may continue below its first row: with years, units, or labels that span
 * several columns. Each row of the header needs the row above it. Other rows need the last row of the header, and the
 * title of their section.
 *
 * @param options `isHeaded`: the first row is the header, regardless of its content. `delimiterRow` is below it.
 */
function addTable(
  page: Page,
  kind: 'row' | 'record',
  rows: readonly Row[],
  { isHeaded, delimiterRow }: { isHeaded: boolean; delimiterRow?: Row | undefined },
  cellsOf: (row: Row) => readonly string[],
): void {
  const { headerRows, titleOf } = tableLayout(rows.map(cellsOf), isHeaded);
  const placeOf: number[] = [];
  let leansOn: number | undefined;
  for (const [at, row] of rows.entries()) {
    const header = placeOf[Math.min(at, headerRows) - 1];
    const title = placeOf[titleOf[at] ?? -1];
    const needs = [header, title].filter((place) => place !== undefined);
    const isFirst = at <= headerRows || (title !== undefined && title === placeOf[at - 1]);
    const announcedBy = isFirst ? placeOf[at - 1] : undefined;
    const links = { needs: needs.length === 0 ? undefined : needs, leansOn, announcedBy };
    placeOf[at] = page.addLines(kind, row.at, row.behind, links);
    if (at === 0 && delimiterRow !== undefined && headerRows > 0)
      leansOn = page.addLines('mark', delimiterRow.at, delimiterRow.behind, {
        needs: [placeOf[0] as number],
      });
  }
}

/** Which rows of a table explain others. */
export interface TableLayout {
  /** The number of rows at the top that are the header. */
  readonly headerRows: number;
  /** The row that is the title of the section of each row. */
  readonly titleOf: readonly (number | undefined)[];
}

/**
 * Reads the header and the sections of a table from its cells.
 *
 * @param isHeaded the first row is the header, regardless of its content.
 */
export function tableLayout(rows: readonly (readonly string[])[], isHeaded = false): TableLayout {
  const headerRows = rows.length === 1 ? Number(isHeaded) : headerLength(rows, isHeaded);
  const sections: { at: number; level: number }[] = [];
  let wasSection = false;
  const titleOf = rows.map((cells, at) => {
    if (at < headerRows) return undefined;
    const [label = '', ...values] = cells;
    const isSection = at < rows.length - 1 && values.length > 1 && isSpanning(cells);
    const level = isSection ? levelOf(label) : 0;
    if (isSection && !wasSection)
      while (sections.length > 0 && (sections.at(-1)?.level as number) >= level) sections.pop();
    const title = sections.at(-1)?.at;
    if (isSection) sections.push({ at, level });
    wasSection = isSection;
    return title;
  });
  return { headerRows, titleOf };
}

/** Most rows at the top that may belong to the header. */
const LONGEST_HEADER = 6;

/**
 * Returns the number of header rows: the first row, and the rows below it that have no values, and no label. The second row may
 * also have years behind a label. Unless the first row is known to be the header, it has no values, and a row below the
 * header has some.
 */
function headerLength(rows: readonly (readonly string[])[], isHeaded: boolean): number {
  const hasValues = ([, ...values]: readonly string[] = []) => values.some(isValue);
  const isBelow = (cells: readonly string[], at: number) =>
    !hasValues(cells) && (cells[0] === '' || (at === 1 && cells.slice(1).filter(isYear).length > 1));
  const end = rows.slice(0, LONGEST_HEADER).findIndex((cells, at) => at > 0 && !isBelow(cells, at));
  const length = end < 0 ? 1 : end;
  return isHeaded || (!hasValues(rows[0]) && rows.slice(length).some(hasValues)) ? length : 0;
}

/** Years explain the cells below them; other numbers are values. A day of a month is none: `31 March`. */
const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/g;
const isYear = (cell: string) => cell.search(YEAR) >= 0;
const isValue = (cell: string) => /\d/.test(cell.replace(YEAR, '').replace(/\b\d{1,2} (?=\p{L})/gu, ''));

/** Returns whether the row has only a label: the title of the rows below it. */
function isSpanning([label = '', ...values]: readonly string[]): boolean {
  return label !== '' && values.length > 0 && values.every((cell) => cell === '');
}

/** A title with a colon is below a title without one. */
const levelOf = (label: string): number => (/[:：]$/.test(label) ? 1 : 0);

/**
 * Returns the cells of a row, without the white space and quotation marks around them.
 *
 * @param delimiter what separates the fields of a record; absent for a row of a Markdown table.
 */
export const cellsIn = (row: string, delimiter?: string): string[] =>
  delimiter === undefined ? cellsBetweenPipes(row) : fieldsIn(row, delimiter);

function cellsBetweenPipes(row: string): string[] {
  const cells = row.split(/(?<!\\)\|/).map((cell) => cell.replace(/[*_]{2}/g, '').trim());
  return cells.slice(
    row.startsWith('|') ? 1 : 0,
    row.length > 1 && /(?<!\\)\|$/.test(row.slice(-2)) ? -1 : undefined,
  );
}

function fieldsIn(record: string, delimiter: string): string[] {
  const fields = [''];
  for (const [at, piece] of record.split('"').entries()) {
    const [first = '', ...others] = at % 2 === 0 ? piece.split(delimiter) : [piece];
    fields[fields.length - 1] += first;
    fields.push(...others);
  }
  return fields.map((field) => field.trim());
}

/** Returns a record as written. If tabs separate fields, tabs at its ends belong to it. */
function textOf({ text, lines }: Page, { at, behind }: Row, delimiter: string): string {
  const { start } = lines[at] as Line;
  let { end } = lines[behind - 1] as Line;
  if (delimiter === '\t') while (text[end] === '\t' || text[end] === ' ') end++;
  const from = delimiter === '\t' ? start : end - text.slice(start, end).trimStart().length;
  return text.slice(from, end);
}

function hasHeader(page: Page, at: number): boolean {
  const header = page.lines[at] as Line;
  const rule = page.lines[at + 1];
  return (
    rule !== undefined &&
    !rule.afterBlank &&
    header.text.includes('|') &&
    isRule(rule.text) &&
    cellsIn(header.text).length === cellsIn(rule.text).length
  );
}

function isRule(text: string): boolean {
  if (!text.includes('|') || !text.includes('-') || /[^|:\-\s]/.test(text)) return false;
  return text
    .slice(text.startsWith('|') ? 1 : 0, text.endsWith('|') ? -1 : undefined)
    .split('|')
    .every((cell) => /^:?-+:?$/.test(cell.trim()));
}

function isBareRow({ text }: Line): boolean {
  return text.length > 2 && text.startsWith('|') && text.endsWith('|');
}

function delimiterAt(page: Page, at: number): string | undefined {
  if (!page.touches(at)) return undefined;
  return ['\t', ';', '|', ','].find((delimiter) => {
    const { start, end, text } = page.lines[at] as Line;
    if (!(delimiter === '\t' ? page.text.slice(start, end) : text).includes(delimiter)) return false;
    const texts: string[] = [];
    let count: number | undefined;
    let next = at;
    while (texts.length < FEWEST_RECORDS) {
      const record = recordAt(page, next, delimiter);
      if (record.count < FEWEST_DELIMITERS || (count ?? record.count) !== record.count) return false;
      count = record.count;
      // A comma between quotation marks belongs to prose.
      texts.push(textOf(page, { at: next, behind: record.behind }, delimiter).replace(/"[^"]*"/g, '""'));
      next = record.behind;
      if (texts.length < FEWEST_RECORDS && !page.touches(next - 1)) return false;
    }
    return (
      delimiter === '\t' ||
      delimiter === '|' ||
      !texts.some((text) => text.includes(`${delimiter} `)) ||
      texts.every(isTerse(delimiter))
    );
  });
}

function isTerse(delimiter: string): (text: string) => boolean {
  return (text) =>
    !/[.,;:!?]$/.test(text.slice(-1)) &&
    text.split(delimiter).every((field) => field.trim().length <= LONGEST_SPACED_FIELD);
}

/**
 * Returns the number of delimiters of a record outside quotation marks, and the index of the line after it. A quoted
 * field may contain line breaks.
 */
function recordAt(page: Page, at: number, delimiter: string): { count: number; behind: number } {
  let count = 0;
  let quoted = false;
  let behind = at;
  do {
    const line = { at: behind, behind: ++behind };
    for (const [i, piece] of textOf(page, line, delimiter).split('"').entries()) {
      if (i > 0) quoted = !quoted;
      if (!quoted) count += piece.split(delimiter).length - 1;
    }
  } while (quoted && behind < page.lines.length);
  return { count, behind };
}

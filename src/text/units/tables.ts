/**
 * Tables: rows that a header explains.
 *
 * Source: GitHub Flavored Markdown 0.29, 4.10 (tables); RFC 4180 (comma-separated values).
 */
import type { Line } from './lines.js';
import type { Page, Structure } from './page.js';

/** Commas in fewer lines are those of a sentence. */
const FEWEST_RECORDS = 3;
const FEWEST_DELIMITERS = 2;
/** Where a space follows the comma, fields are short: longer ones are clauses. */
const LONGEST_SPACED_FIELD = 32;

/** Header and delimiter row are one unit, which the rows need. Rows alone are what a cut left of a table. */
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
    if (isHeaded) rows.splice(0, 2, { at, behind: at + 2 });
    addTable(page, 'row', rows, isHeaded, ({ at: row }) => cellsIn((page.lines[row] as Line).text));
    return behind;
  },
};

/** Comma-, semicolon-, pipe- or tab-separated values; their first line is the header. */
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
    addTable(page, 'record', records, true, (record) => fieldsIn(textOf(page, record, delimiter), delimiter));
    return next;
  },
};

/** The lines of a row. */
interface Row {
  readonly at: number;
  readonly behind: number;
}

/**
 * The rows of a table as units. Below its first row a header may go on: with years, units, or what spans several columns.
 * Each row of the header needs the one above, the others need the last of it, and the title of their section.
 *
 * @param isHeaded is the first row the header, whatever it says?
 */
function addTable(
  page: Page,
  kind: 'row' | 'record',
  rows: readonly Row[],
  isHeaded: boolean,
  cellsOf: (row: Row) => readonly string[],
): void {
  const headerRows =
    rows.length === 1
      ? Number(isHeaded)
      : headerLength(
          rows.map((row, at) => (at > LONGEST_HEADER ? [] : cellsOf(row))),
          isHeaded,
        );
  let header: number | undefined;
  const sections: { place: number; level: number }[] = [];
  let wasSection = false;
  let announcedBy: number | undefined;
  for (const [at, row] of rows.entries()) {
    if (at < headerRows) {
      const needs = header === undefined ? undefined : [header];
      announcedBy = header = page.addLines(kind, row.at, row.behind, { needs, announcedBy: header });
      continue;
    }
    const cells = at < rows.length - 1 ? cellsOf(row) : [];
    const isSection = cells.length > 2 && isSpanning(cells);
    const level = isSection ? levelOf(cells[0] as string) : 0;
    if (isSection && !wasSection)
      while (sections.length > 0 && (sections.at(-1)?.level as number) >= level) sections.pop();
    const section = sections.at(-1)?.place;
    const needs = [header, section].filter((place) => place !== undefined);
    const links = { needs: needs.length === 0 ? undefined : needs, announcedBy };
    const place = page.addLines(kind, row.at, row.behind, links);
    if (isSection) sections.push({ place, level });
    wasSection = isSection;
    announcedBy = isSection ? place : undefined;
  }
}

/** Rows at the head that may belong to it; what has more is no header. */
const LONGEST_HEADER = 6;
/**
 * Figures of a date or a unit: a year, a quarter, a day beside a word, the number of a note, thousands. What else has a
 * figure is a value.
 */
const DATED =
  /(?<!\d)(?:1 ?9|2 ?0) ?\d ?\d(?!\d)|\b(?:FY|Q|H) ?['’]?\d{1,2}\b|\b\d{1,2}(?:st|nd|rd|th)?\.? (?=\p{L})|(?<=\p{L}[.]? )\d{1,2}(?=,|$)|\(\d{1,2}\)|(?<=\p{L})\d|(?<![\d,])[’'‘`]? ?000s?\b/gu;
/** What the figures are counted in, or the time that they are of. */
const UNIT =
  /^[(\s]*(?:(?:US|U\.S\.|A|C|HK)? ?[$€£¥%]|in\b|(?:dollars?|amounts?|shares?|figures|expressed|USD|EUR|GBP|RMB|R)\b|.*\b(?:thousands?|millions?|billions?|percent(?:age)?)\b)/i;
const TIME =
  /\b(?:years?|months?|weeks?|quarters?|fiscal|periods?|ended|ending|january|february|march|april|may|june|july|august|september|october|november|december)\b/i;

/**
 * How many rows the header has. They go on to the first row that has a label and values, if those between them have
 * neither: no label, or one that names units or times, or nothing but a label; or, once, years behind a label. The very
 * first row may have any label.
 */
function headerLength(rows: readonly (readonly string[])[], isHeaded: boolean): number {
  const least = isHeaded ? 1 : 0;
  let hasYears = false;
  for (const [at, cells] of rows.entries()) {
    if (at > LONGEST_HEADER) break;
    const [label = '', ...values] = cells;
    const years = values.filter(isYear).length;
    if (at >= least) {
      if (label !== '' && values.some(isValue)) return at;
      const isBelow =
        at === 0 || label === '' || isSpanning(cells) || isCaption(label) || (years > 1 && !hasYears);
      if (!isBelow || values.some(isValue)) break;
    }
    hasYears ||= years > 0;
  }
  return least;
}

const isYear = (cell: string) => /(?:19|20)\d\d/.test(cell) && !isValue(cell);
const isValue = (cell: string) => /\d/.test(cell) && /\d/.test(cell.replace(DATED, ''));
const isCaption = (label: string) => (UNIT.test(label) || TIME.test(label)) && !isValue(label);

/** Nothing but a label: the title of the rows below it. */
function isSpanning([label = '', ...values]: readonly string[]): boolean {
  return label !== '' && values.length > 0 && values.every((cell) => cell === '');
}

/** A title with a colon is below one without. */
const levelOf = (label: string): number => (/[:：]$/.test(label) ? 1 : 0);

/** The cells of a row, without the white space around them. */
function cellsIn(row: string): string[] {
  const cells = row.split(/(?<!\\)\|/).map((cell) => cell.replace(/[*_]{2}/g, '').trim());
  return cells.slice(
    row.startsWith('|') ? 1 : 0,
    row.length > 1 && /(?<!\\)\|$/.test(row.slice(-2)) ? -1 : undefined,
  );
}

/** The fields of a record, without their quotation marks. */
function fieldsIn(record: string, delimiter: string): string[] {
  const fields = [''];
  for (const [at, piece] of record.split('"').entries()) {
    const [first = '', ...others] = at % 2 === 0 ? piece.split(delimiter) : [piece];
    fields[fields.length - 1] += first;
    fields.push(...others);
  }
  return fields.map((field) => field.trim());
}

/** A record as written: where tabs set fields off, those at its ends are of it. */
function textOf({ text, lines }: Page, { at, behind }: Row, delimiter: string): string {
  const { start } = lines[at] as Line;
  let { end } = lines[behind - 1] as Line;
  if (delimiter === '\t') while (text[end] === '\t' || text[end] === ' ') end++;
  const from = delimiter === '\t' ? start : end - text.slice(start, end).trimStart().length;
  return text.slice(from, end);
}

/** How many cells a row has; one for a line without pipes. */
export function cellsOf(row: string): number {
  let pipes = 0;
  for (let at = row.indexOf('|'); at >= 0; at = row.indexOf('|', at + 1)) if (row[at - 1] !== '\\') pipes++;
  return pipes + 1 - Number(row.startsWith('|')) - Number(row.length > 1 && /(?<!\\)\|$/.test(row.slice(-2)));
}

function hasHeader(page: Page, at: number): boolean {
  const header = page.lines[at] as Line;
  const rule = page.lines[at + 1];
  return (
    rule !== undefined &&
    !rule.afterBlank &&
    header.text.includes('|') &&
    isRule(rule.text) &&
    cellsOf(header.text) === cellsOf(rule.text)
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
      // Between quotation marks a comma is one of prose.
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

/** Delimiters of a record outside quotation marks, and the line behind it: a quoted field may hold line breaks. */
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

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
    const header = hasHeader(page, at) ? page.addLines('row', at, at + 2) : undefined;
    if (header === undefined) page.addLines('row', at, at + 1);
    let next = header === undefined ? at + 1 : at + 2;
    while (
      page.touches(next - 1) &&
      page.lines[next]?.text.includes('|') &&
      (header !== undefined || !hasHeader(page, next))
    )
      page.addLines('row', next, ++next, { needs: header });
    return next;
  },
};

/** Comma-, semicolon- or tab-separated values; their first line is the header. */
export const separatedValues: Structure = {
  starts: (page, at) => delimiterAt(page, at) !== undefined,
  read(page, at) {
    const delimiter = delimiterAt(page, at) as string;
    const first = recordAt(page, at, delimiter);
    const header = page.addLines('record', at, first.behind);
    let next = first.behind;
    while (page.touches(next - 1)) {
      const { count, behind } = recordAt(page, next, delimiter);
      if (count !== first.count) break;
      page.addLines('record', next, behind, { needs: header });
      next = behind;
    }
    return next;
  },
};

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
  return ['\t', ';', ','].find((delimiter) => {
    if (!(page.lines[at] as Line).text.includes(delimiter)) return false;
    const texts: string[] = [];
    let count: number | undefined;
    let next = at;
    while (texts.length < FEWEST_RECORDS) {
      const record = recordAt(page, next, delimiter);
      if (record.count < FEWEST_DELIMITERS || (count ?? record.count) !== record.count) return false;
      count = record.count;
      texts.push(
        page.text.slice((page.lines[next] as Line).start, (page.lines[record.behind - 1] as Line).end),
      );
      next = record.behind;
      if (texts.length < FEWEST_RECORDS && !page.touches(next - 1)) return false;
    }
    return (
      delimiter === '\t' ||
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
function recordAt({ lines }: Page, at: number, delimiter: string): { count: number; behind: number } {
  let count = 0;
  let quoted = false;
  let behind = at;
  do {
    for (const [i, piece] of (lines[behind++] as Line).text.split('"').entries()) {
      if (i > 0) quoted = !quoted;
      if (!quoted) count += piece.split(delimiter).length - 1;
    }
  } while (quoted && behind < lines.length);
  return { count, behind };
}

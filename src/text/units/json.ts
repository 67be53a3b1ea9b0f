/**
 * JSON within a text.
 *
 * Source: RFC 8259. The reader does not recurse, so depth cannot overflow the stack. It stops at the first character
 * that cannot be JSON, so prose in brackets costs nothing.
 */
import type { Line } from './lines.js';
import type { Page, Structure } from './page.js';

const LITERAL = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
const LONGEST_LITERAL = 400;

/** A whole object or array on lines of its own. An object or array that the end of the text cuts off is included. */
export const json: Structure = {
  starts: (page, at) => jsonEnd(page, at) > at,
  read(page, at) {
    const behind = jsonEnd(page, at);
    page.addLines('block', at, behind);
    return behind;
  },
};

/** JSON Lines: an object or array on each line. */
export const jsonLines: Structure = {
  starts: (page, at) => isRecord(page.lines[at] as Line) && page.touches(at) && isRecord(page.lines[at + 1]),
  read(page, at) {
    let next = at;
    do page.addLines('record', next, ++next);
    while (page.touches(next - 1) && isRecord(page.lines[next]));
    return next;
  },
};

function isRecord(line: Line | undefined): boolean {
  if (line === undefined || !opens(line.text)) return false;
  const { end, closed } = valueAt(line.text, 0);
  return closed && end === line.text.length;
}

function jsonEnd(page: Page, at: number): number {
  const { text, lines } = page;
  const line = lines[at] as Line;
  const start = line.end - line.text.length;
  if (!opens(line.text) || start < page.searchedTo.json) return at;
  const { end, closed } = valueAt(text, start);
  let behind = at + 1;
  while (behind < lines.length && (lines[behind] as Line).start < end) behind++;
  const last = lines[behind - 1] as Line;
  const isWhole = closed && /^[,;]?$/.test(text.slice(end, last.end));
  const isCutOff = !closed && end >= text.length && text.slice(start, end).includes('":');
  if (isWhole || isCutOff) return behind;
  page.searchedTo.json = end;
  return at;
}

function opens(text: string): boolean {
  return text.startsWith('{') || text.startsWith('[');
}

/**
 * Reads an object or array.
 *
 * @returns the offset at which it closes, or else the first offset that cannot be JSON.
 */
function valueAt(text: string, start: number): { end: number; closed: boolean } {
  const open: string[] = [];
  // The element that may come next: a value, a key, or the continuation after a value. `first`: a bracket may close at
  // once.
  let expected: 'value' | 'key' | 'rest' = 'value';
  let first = false;
  let at = start;
  for (;;) {
    at = skipSpace(text, at);
    const character = text[at];
    if (character === undefined) return { end: text.length, closed: false };
    const failed = { end: at + 1, closed: false };
    if ((character === '}' || character === ']') && (expected === 'rest' || first)) {
      if (open.pop() !== character) return failed;
      at++;
      if (open.length === 0) return { end: at, closed: true };
      expected = 'rest';
      first = false;
    } else if (expected === 'rest') {
      if (character !== ',') return failed;
      at++;
      expected = open.at(-1) === '}' ? 'key' : 'value';
    } else if (character === '"') {
      at = skipString(text, at);
      if (expected === 'key' && at < text.length) {
        at = skipSpace(text, at);
        if (at < text.length && text[at++] !== ':') return { end: at, closed: false };
        expected = 'value';
      } else expected = 'rest';
      first = false;
    } else if (expected === 'key') return failed;
    else if (character === '{' || character === '[') {
      open.push(character === '{' ? '}' : ']');
      expected = character === '{' ? 'key' : 'value';
      first = true;
      at++;
    } else {
      const end = skipLiteral(text, at);
      if (end < text.length && !LITERAL.test(text.slice(at, end))) return failed;
      at = end;
      expected = 'rest';
      first = false;
    }
  }
}

function skipSpace(text: string, at: number): number {
  while (at < text.length && ' \t\n\r'.includes(text[at] as string)) at++;
  return at;
}

/** Returns the offset behind the closing quotation mark, or the end of the text. */
function skipString(text: string, at: number): number {
  for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++;
  return Math.min(at + 1, text.length);
}

function skipLiteral(text: string, at: number): number {
  const end = at + LONGEST_LITERAL;
  while (at < end && at < text.length && /[\w.+-]/.test(text[at] as string)) at++;
  return at;
}

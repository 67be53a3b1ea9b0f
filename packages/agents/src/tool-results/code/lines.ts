/** The lines of code, with their brackets and their indentation. */
import { type Family, mask, STRING } from './mask.js';

export interface CodeLine {
  /** Without what only looks like code, and without white space around it. Empty: blank, a comment. */
  readonly code: string;
  /** Has a comment or a part of one, and no code. */
  readonly isComment: boolean;
  readonly isBlank: boolean;
  /** Columns of white space at the beginning. */
  readonly indent: number;
  /** Number of brackets that are open at its beginning. */
  readonly depth: number;
  /** The line begins inside a string or a comment. */
  readonly isInside: boolean;
  /** The line that opens what the first bracket of this line closes, if the line begins with a closing bracket. */
  readonly opener: number | undefined;
}

const TAB = 4;
const OPENING = '([{';
const CLOSING = ')]}';

export function codeLines(text: string, family: Family): CodeLine[] {
  const { text: masked, inner } = mask(text, family);
  const open: number[] = [];
  const lines: CodeLine[] = [];
  let start = 0;
  let isInside = false;
  const maskedLines = masked.split('\n');
  for (const [at, line] of text.split('\n').entries()) {
    const visible = maskedLines[at] as string;
    const code = visible.trim();
    const depth = open.length;
    let opener: number | undefined;
    for (const [place, character] of [...code].entries()) {
      if (OPENING.includes(character)) open.push(at);
      else if (CLOSING.includes(character)) {
        const opened = open.pop();
        if (place === 0) opener = opened;
      }
    }
    const isBlank = line.trim() === '';
    const isText = isInside && (code === '' || code.startsWith(STRING));
    lines.push({
      code,
      isComment: !isBlank && code === '',
      isBlank,
      indent: columnsOf(/^[ \t]*/.exec(line)?.[0] ?? ''),
      depth,
      isInside: isText,
      opener,
    });
    start += line.length;
    isInside = inner.has(start);
    start++;
  }
  return lines;
}

function columnsOf(space: string): number {
  let columns = 0;
  for (const character of space) columns += character === '\t' ? TAB - (columns % TAB) : 1;
  return columns;
}

/** Splits a text into lines. Blank lines are left out; the line after them has `afterBlank`. */

export interface Line {
  /** Offset at which the line starts, with its indentation. */
  readonly start: number;
  /** Offset behind its last character that is not white space. */
  readonly end: number;
  /** Indentation in columns, beyond the indentation that all lines of the text share. A tab counts as four columns. */
  readonly indent: number;
  /** The text of the line, without the white space at its ends. */
  readonly text: string;
  readonly afterBlank: boolean;
}

const TAB = 4;
/** Matches a line end. The two characters of a Windows line end are one. */
const LINE_END = /\r\n|[\n\r\u2028\u2029]/g;
/**
 * The longest part without a space, in characters, that counts as the next word. Scripts without spaces have no other
 * limit.
 */
const LONGEST_WORD = 20;
/** Prose is not wrapped in columns narrower than this. Such lines are verses, addresses, lists of names. */
const NARROWEST = 40;

/** Returns the lines of a text that are not blank, in order. */
export function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let afterBlank = false;
  for (let start = 0; start <= text.length; ) {
    LINE_END.lastIndex = start;
    const found = LINE_END.exec(text);
    const at = found === null ? text.length : found.index;
    const rest = text.slice(start, at).trimStart();
    const line = rest.trimEnd();
    if (line !== '') {
      const from = at - rest.length;
      const indent = from === start ? 0 : columns(text, start, from);
      lines.push({ start, end: from + line.length, indent, text: line, afterBlank });
    }
    afterBlank = line === '';
    start = found === null ? text.length + 1 : LINE_END.lastIndex;
  }
  const shared = lines.reduce((least, { indent }) => Math.min(least, indent), Infinity);
  return shared === 0 ? lines : lines.map((line) => ({ ...line, indent: line.indent - shared }));
}

/** Returns whether a line break is only due to the page width, so that the sentence continues in the next line. */
export function flowsOn(lines: readonly Line[], at: number): boolean {
  const line = lines[at] as Line;
  const next = lines[at + 1] as Line;
  if (/^\p{Ll}/u.test(next.text) || /[,(\-–—]$/.test(line.text.slice(-1))) return true;
  const width = Math.max(lines[at - 1]?.text.length ?? 0, line.text.length, next.text.length);
  if (width < NARROWEST) return false;
  const word = next.text.slice(0, LONGEST_WORD).search(/\s/);
  // If the next word would have fitted, the line break was made on purpose.
  return line.text.length + 1 + (word < 0 ? LONGEST_WORD : word) >= 0.8 * width;
}

function columns(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at++) count += text.charCodeAt(at) === 9 ? TAB : 1;
  return count;
}

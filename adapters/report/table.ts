/** Tables of plain text. Cells wrap; nothing is cut. */

import { DIRECTION_CONTROLS, escaped, lazyRegExp } from '../../src/internal.js';

const BETWEEN = '  ';
/** Words up to this size are never broken. A table that has no room even for these is wider than asked. */
const UNBROKEN = 12;
/** Before a last cell that stands under its row. */
const UNDER = ' '.repeat(6);

/**
 * A table with a title, at most `width` columns wide. Longer cells wrap between words. If that
 * takes fewer lines, or if the words do not fit side by side, a long last cell goes under its row instead. Words are
 * broken only if they do not fit even so. Without rows the table is empty.
 */
export function section(title: string, width: number, header: string[], rows: string[][]): string {
  if (rows.length === 0) return '';
  const isRight = header.map((_, column) => rows.every((row) => /^[\d,.–-]+$/.test(row[column] ?? '')));
  const cells = [header, ...rows].map((row) => row.map((cell) => wordsOf(oneLine(cell))));
  const beside = layOut(cells, width, isRight);
  const under = beside.isWrapped ? lastUnder(cells, width, isRight) : beside;
  const { lines, rule } =
    beside.isBroken || under.lines.flat().length < beside.lines.flat().length ? under : beside;
  const [head = [], ...body] = lines;
  return [title, ...head, rule, ...body.flat()].join('\n');
}

/** The lines of each row. */
interface Layout {
  readonly lines: readonly (readonly string[])[];
  /** The line under the header. */
  readonly rule: string;
  readonly isWrapped: boolean;
  /** Whether words may be broken. */
  readonly isBroken: boolean;
}

/** All columns side by side. */
function layOut(cells: readonly Sized[][][], width: number, isRight: readonly boolean[]): Layout {
  const { widths, ...fit } = columnWidths(cells, width - BETWEEN.length * isRight.length);
  const lines = cells.map((row) => {
    const wrapped = row.map((words, column) => wrap(words, widths[column] as number));
    const height = Math.max(...wrapped.map(({ length }) => length));
    return Array.from({ length: height }, (_, at) =>
      wrapped
        .map((cell, column) => BETWEEN + pad(cell[at], widths[column] as number, isRight[column] === true))
        .join('')
        .trimEnd(),
    );
  });
  return { lines, rule: widths.map((size) => BETWEEN + '─'.repeat(size)).join(''), ...fit };
}

/** The last cell of each row beside the others if it fits there on one line, else under them. */
function lastUnder(cells: readonly Sized[][][], width: number, isRight: readonly boolean[]): Layout {
  const others = layOut(
    cells.map((row) => row.slice(0, -1)),
    width,
    isRight.slice(0, -1),
  );
  const room = Math.max(0, width - others.rule.length - BETWEEN.length);
  let last = 0;
  const lines = others.lines.map(([first = '', ...more], row) => {
    const cell = cells[row]?.at(-1) as Sized[];
    const size = lengthOf(cell);
    if (size > room) {
      const under = wrap(cell, width - UNDER.length).map(({ text }) => UNDER + text);
      return [first, ...more, ...under];
    }
    last = Math.max(last, size);
    const text = cell.map((word) => word.text).join(' ');
    return [`${pad(sized(first), others.rule.length, false)}${BETWEEN}${text}`.trimEnd(), ...more];
  });
  return { ...others, lines, rule: `${others.rule}${BETWEEN}${'─'.repeat(last)}`.trimEnd() };
}

/** A text, and the columns that it takes. */
interface Sized {
  readonly text: string;
  readonly size: number;
}

const sized = (text: string): Sized => ({ text, size: displayWidth(text) });
const wordsOf = (line: string): Sized[] => line.split(' ').map(sized);
/** The columns of words with spaces between them. */
const lengthOf = (words: readonly Sized[]) => words.reduce((sum, { size }) => sum + size + 1, -1);

/**
 * As wide as the cells, if there is room. Otherwise the widest columns share the room that the others leave. No column
 * is narrower than its longest word, unless these words alone need more room than there is.
 */
function columnWidths(
  cells: readonly Sized[][][],
  room: number,
): { widths: number[]; isWrapped: boolean; isBroken: boolean } {
  const most = (of: (words: readonly Sized[]) => number) =>
    (cells[0] as Sized[][]).map((_, column) =>
      cells.reduce((size, row) => Math.max(size, of(row[column] as Sized[])), 0),
    );
  const sum = (widths: readonly number[]) => widths.reduce((all, size) => all + size, 0);
  const natural = most(lengthOf);
  if (sum(natural) <= room) return { widths: natural, isWrapped: false, isBroken: false };
  const longest = most((words) => words.reduce((size, word) => Math.max(size, word.size), 0));
  const isBroken = sum(longest) > room;
  const least = isBroken ? longest.map((size) => Math.min(size, UNBROKEN)) : longest;
  const cappedAt = (cap: number) =>
    natural.map((size, column) => Math.max(least[column] as number, Math.min(size, cap)));
  let cap = 1;
  while (sum(cappedAt(cap + 1)) <= room) cap++;
  return { widths: cappedAt(cap), isWrapped: true, isBroken };
}

/** Breaks a line between words; later lines are indented further. */
export function wrapLine(line: string, columns: number, indent: string): string[] {
  const [first, ...others] = wrap(wordsOf(line), columns - indent.length - 2);
  return [`${indent}${first?.text ?? ''}`, ...others.map(({ text }) => `${indent}  ${text}`)];
}

/** The lines of a cell. */
function wrap(words: readonly Sized[], columns: number): Sized[] {
  const lines: Sized[] = [];
  let line: Sized | undefined;
  for (const word of words.flatMap((each) => (each.size > columns ? pieces(each.text, columns) : [each]))) {
    if (line !== undefined && line.size + 1 + word.size <= columns) {
      line = { text: `${line.text} ${word.text}`, size: line.size + 1 + word.size };
    } else {
      if (line !== undefined) lines.push(line);
      line = word;
    }
  }
  return line === undefined ? lines : [...lines, line];
}

/** The parts of a word that is too long for a line. */
function pieces(word: string, columns: number): Sized[] {
  const found: Sized[] = [];
  let piece: Sized = { text: '', size: 0 };
  for (const character of word) {
    const { size } = sized(character);
    if (piece.size + size > columns) {
      found.push(piece);
      piece = { text: '', size: 0 };
    }
    piece = { text: piece.text + character, size: piece.size + size };
  }
  return [...found, piece];
}

function pad({ text, size }: Sized = sized(''), columns: number, isRight: boolean): string {
  const space = ' '.repeat(Math.max(0, columns - size));
  return isRight ? space + text : text + space;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: ids are untrusted text, and terminals execute control characters
const OBEYED = /[\s\u0000-\u001f\u007f-\u009f]+/g;
/** Characters that change the direction of the rest of a line. */
const REORDERING = lazyRegExp(`[${DIRECTION_CONTROLS}]`, 'g');
/** A text without line breaks and without characters that a terminal obeys. */
export const oneLine = (text: string) => text.replace(OBEYED, ' ').replace(REORDERING(), escaped);

const PLAIN = /^[ -~]*$/;
const WIDE = lazyRegExp(
  String.raw`[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}`,
  'u',
);
const ZERO = lazyRegExp(String.raw`^[\p{M}\u200b-\u200f]$`, 'u');

/** Columns of a text in a terminal: East Asian characters and emoji take two, combining marks none. */
function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += ZERO().test(character) ? 0 : WIDE().test(character) ? 2 : 1;
  return width;
}

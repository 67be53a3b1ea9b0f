/** Parts of a long text: lines by their numbers, and lines that match a pattern. Not an export. */
import { ContextShapingError, type TokenCounter } from 'context-shaping';
import { builtIns, messageOf } from 'context-shaping/kit';

/** Lines before and after each line that matches. */
const AROUND = 2;
/** Most characters of a line that are shown. */
const LONGEST = 2000;
/** How long a pattern may search, in milliseconds: some take years. */
const PATIENCE = 2000;

export interface Wanted {
  /** `12` or `12-40`, from 1. Absent: all. */
  lines?: string | undefined;
  /** A text or a regular expression: lines with one of the two. Upper and lower case are the same. */
  pattern?: string | undefined;
}

/** A line, and its number in the text, from 1. */
export interface Line {
  number: number;
  text: string;
}

/** The lines of a text. A line break at its end begins no line. */
export const linesIn = (text: string): Line[] =>
  text
    .replace(/\n$/, '')
    .split('\n')
    .map((line, at) => ({ number: at + 1, text: line }));

/**
 * The wanted lines, as far as there is room, and a last line that says where to go on. With a pattern, or if some lines of the
 * range are not given, lines have their numbers: before `:` if they match, else before `-`, as in `grep -n`; between groups
 * is `…`.
 *
 * @param given ascending by number. Numbers may be missing.
 * @throws ContextShapingError `invalid-input`: lines that are no range, or a pattern that takes too long.
 */
export function excerptOf(
  given: readonly Line[],
  { lines: range, pattern }: Wanted,
  { maxTokens, count }: { maxTokens: number; count: TokenCounter },
): string {
  const greatest = given.at(-1)?.number ?? 0;
  const [first, last] = rangeOf(range, greatest);
  const within = given.filter(({ number }) => number >= first && number <= last);
  if (within.length === 0) return `[None of the lines ${first} to ${last} is left out.]`;
  const places = pattern === undefined ? undefined : placesOf(within, pattern);
  const matches = new Set(within.flatMap(({ number }, at) => ((places?.[at] ?? -1) < 0 ? [] : [number])));
  const near = (number: number) =>
    Array.from({ length: 2 * AROUND + 1 }, (_, step) => number - AROUND + step).some((each) =>
      matches.has(each),
    );
  const wanted = [...within.entries()].filter(([, { number }]) => places === undefined || near(number));
  if (wanted.length === 0) return `[No line of ${within.length} matches.]`;

  const isNumbered = places !== undefined || within.length !== last - first + 1;
  const longest = Math.min(LONGEST, Math.ceil(maxTokens / 2));
  const filled = (room: number): string => {
    const written: string[] = [];
    let left = room;
    let before: number | undefined;
    for (const [at, { number, text }] of wanted) {
      const gap = before !== undefined && number > before + 1 ? '…\n' : '';
      before = number;
      const mark = isNumbered ? `${number}${matches.has(number) ? ':' : '-'}` : '';
      const line = `${gap}${mark}${shown(text, places?.[at] ?? -1, longest)}`;
      const rest = `[Lines ${number} to ${last} of ${greatest} are left: ask for them by their numbers.]`;
      left -= count(`${line}\n`);
      if (left < count(rest)) return [...written, rest].join('\n');
      written.push(line);
    }
    return written.join('\n');
  };
  // Lines together can have more tokens than one by one.
  for (let room = maxTokens; ; ) {
    const excerpt = filled(room);
    const over = count(excerpt) - maxTokens;
    if (over <= 0 || room <= 0) return excerpt;
    room -= over;
  }
}

function rangeOf(range: string | undefined, greatest: number): [first: number, last: number] {
  if (range === undefined) return [1, greatest];
  const [, from, to = from] = /^\s*(\d+)\s*(?:[-–:,]\s*(\d+)\s*)?$/.exec(range) ?? [];
  const [first, last] = [Number(from), Math.min(Number(to), greatest)];
  if (first >= 1 && first <= last) return [first, last];
  throw wrong(
    'lines',
    range,
    `must be a line of ${greatest}, or two with - between them`,
    'Write 12 or 12-40.',
  );
}

/** The place of the first match of each line; -1 if there is none. A call such as `read(7)` is an expression for `read7`. */
function placesOf(lines: readonly Line[], source: string): number[] {
  const texts = lines.map(({ text }) => text);
  const found = matched(texts, source);
  const word = source.toLowerCase();
  return texts.map((text, at) => {
    const place = found?.[at] ?? -1;
    return place < 0 ? text.toLowerCase().indexOf(word) : place;
  });
}

/**
 * The places of a regular expression; undefined if the source is none, or if this runtime cannot end one that searches too
 * long: the source is then a text to find.
 */
function matched(lines: readonly string[], source: string): number[] | undefined {
  // Only a context of its own can be ended, and browsers have none.
  const vm = builtIns()?.('node:vm');
  if (vm === undefined) return undefined;
  try {
    const pattern = new RegExp(source, 'i');
    const search = 'lines.map((line) => line.search(pattern))';
    return vm.runInNewContext(search, { lines, pattern }, { timeout: PATIENCE }) as number[];
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw wrong(
      'pattern',
      source,
      `takes too long: ${messageOf(cause)}`,
      'Write a simpler one, such as a word.',
      cause,
    );
  }
}

/** A line, or of a long one the part around a place. */
function shown(line: string, place: number, longest: number): string {
  if (line.length <= longest) return line;
  const start = Math.max(0, Math.min(place - Math.floor(longest / 2), line.length - longest));
  const end = start + longest;
  return `${start > 0 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`;
}

const wrong = (field: string, value: unknown, is: string, remedy: string, cause?: unknown) =>
  new ContextShapingError('invalid-input', { field, value, is, remedy, cause });

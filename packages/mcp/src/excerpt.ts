/** Parts of a long output: lines by their numbers, and lines that match a pattern. */
import { Script } from 'node:vm';
import { ContextShapingError, type TokenCounter } from 'context-shaping';
import { messageOf } from 'context-shaping/internal';

/** Lines before and after each line that matches. */
const AROUND = 2;
/** Most characters of a line that are shown. */
const LONGEST = 2000;
/** How long a pattern may search, in milliseconds: some take years. */
const PATIENCE = 2000;

const SEARCH = new Script('lines.map((line) => line.search(pattern))');

export interface Wanted {
  /** `12` or `12-40`, from 1. Absent: all. */
  lines?: string | undefined;
  /** A regular expression. Upper and lower case are the same. */
  pattern?: string | undefined;
}

/**
 * The lines in their order, as far as there is room, and a last line that says where to go on. Lines that match have their
 * number and `:`, lines around them `-`, as in `grep -n`; between groups is `…`.
 *
 * @throws ContextShapingError `invalid-input`: lines that are no range, or a pattern that is none or takes too long.
 */
export function excerptOf(
  output: string,
  { lines: range, pattern }: Wanted,
  { maxTokens, count }: { maxTokens: number; count: TokenCounter },
): string {
  const all = output.replace(/\n$/, '').split('\n');
  const [first, last] = rangeOf(range, all.length);
  const places = pattern === undefined ? undefined : placesOf(all, pattern);
  const isMatch = (at: number) => at >= first && at <= last && (places?.[at - 1] ?? 0) >= 0;
  const near = (at: number) =>
    Array.from({ length: 2 * AROUND + 1 }, (_, step) => at - AROUND + step).some(isMatch);
  const wanted: number[] = [];
  for (let at = first; at <= last; at++) if (places === undefined || near(at)) wanted.push(at);
  if (wanted.length === 0) return `[No line of ${all.length} matches.]`;

  const written: string[] = [];
  let left = maxTokens;
  for (const [place, at] of wanted.entries()) {
    const match = places?.[at - 1] ?? -1;
    const text = shown(all[at - 1] as string, match, Math.min(LONGEST, Math.ceil(maxTokens / 2)));
    const gap = places !== undefined && place > 0 && wanted[place - 1] !== at - 1 ? '…\n' : '';
    const line = gap + (places === undefined ? text : `${at}${isMatch(at) ? ':' : '-'}${text}`);
    const rest = `[Lines ${at} to ${last} of ${all.length} are left: ask for them by their numbers.]`;
    left -= count(`${line}\n`);
    if (left < count(rest)) return [...written, rest].join('\n');
    written.push(line);
  }
  return written.join('\n');
}

function rangeOf(range: string | undefined, total: number): [first: number, last: number] {
  if (range === undefined) return [1, total];
  const [, from, to = from] = /^\s*(\d+)\s*(?:[-–:,]\s*(\d+)\s*)?$/.exec(range) ?? [];
  const [first, last] = [Number(from), Math.min(Number(to), total)];
  if (first >= 1 && first <= last) return [first, last];
  throw wrong('lines', range, `must be a line of ${total}, or two with - between them`, 'Write 12 or 12-40.');
}

/** The place of the first match of each line; -1 if there is none. */
function placesOf(lines: readonly string[], source: string): number[] {
  let pattern: RegExp;
  try {
    pattern = new RegExp(source, 'i');
  } catch (cause) {
    throw wrong('pattern', source, `is no regular expression: ${messageOf(cause)}`, 'Correct it.', cause);
  }
  try {
    return SEARCH.runInNewContext({ lines, pattern }, { timeout: PATIENCE }) as number[];
  } catch (cause) {
    throw wrong('pattern', source, 'takes too long', 'Write a simpler one, such as a word.', cause);
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

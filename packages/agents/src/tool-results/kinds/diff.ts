import { addLines, type LineBlock } from '../../structures/index.js';
import type { Kind } from './kind.js';
import { isGenerated, isTest } from './paths.js';

const FILE = /^(?:diff --git |diff -|Index: |--- (?=\S))/;
const HUNK = /^@@+ .*@@/;
const HEAD =
  /^(?:diff |index [0-9a-f]+|Index: |={10,}$|old mode|new mode|new file|deleted file|similarity|dissimilarity|rename |copy |--- |\+\+\+ |Binary files |GIT binary)/;
/** A longer hunk, of a new file for example, is several blocks, in lines. */
const LONGEST_HUNK = 60;

/** Changes of files: hunks whole, under the names of their files. Files that programs write come last. */
export const diff = {
  name: 'diff',
  recognise(lines) {
    const filled = lines.filter((line) => line !== '');
    if (!filled.some((line) => HUNK.test(line))) return 0;
    const changes = filled.filter((line) => HUNK.test(line) || HEAD.test(line) || /^[-+ \\]/.test(line));
    return changes.length / filled.length;
  },
  add(outline, text, place) {
    const lines = text.split('\n');
    const blocks: LineBlock[] = [];
    let file: { place: number; path: string; hunks: number } | undefined;
    for (let at = 0; at < lines.length; ) {
      const first = at;
      if (isFile(lines, at)) {
        at = headEnd(lines, at);
        const path = pathIn(lines.slice(first, at));
        file = { place: blocks.length, path, hunks: 0 };
        blocks.push({
          first: first + 1,
          last: at,
          title: path,
          label: 'names of files',
          priority: isGenerated(path) ? 0.3 : 0.7,
        });
      } else if (HUNK.test(lines[at] as string)) {
        at = hunkEnd(lines, at);
        addHunk(blocks, lines, [first, at], file);
        if (file !== undefined) file.hunks++;
      } else {
        at++;
        while (at < lines.length && !isFile(lines, at) && !HUNK.test(lines[at] as string)) at++;
        // The message of a commit, and the list of its files.
        blocks.push({ first: first + 1, last: at, label: 'text about the changes', priority: 0.8 });
      }
    }
    addLines(outline, text, place, { blocks });
  },
} as const satisfies Kind;

const isFile = (lines: readonly string[], at: number) =>
  FILE.test(lines[at] as string) &&
  (!/^--- /.test(lines[at] as string) || /^\+\+\+ /.test(lines[at + 1] ?? ''));

/** The line behind the head of a file. */
function headEnd(lines: readonly string[], from: number): number {
  let at = from + 1;
  while (HEAD.test(lines[at] ?? '') && !/^(?:diff |Index: )/.test(lines[at] as string)) at++;
  return at;
}

/** The line behind a hunk: its header counts its lines. */
function hunkEnd(lines: readonly string[], from: number): number {
  const counts = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(lines[from] as string);
  let [old, fresh] = [Number(counts?.[1] ?? 1), Number(counts?.[2] ?? 1)];
  let at = from + 1;
  for (; at < lines.length; at++) {
    const sign = (lines[at] as string)[0] ?? '';
    if (sign === '\\') continue;
    if (counts === null ? !'-+ '.includes(sign || '@') : old <= 0 && fresh <= 0) break;
    if (sign !== '+') old--;
    if (sign !== '-') fresh--;
  }
  return at;
}

const NAMES = [
  /^\+\+\+ (?:b\/)?([^\t]+)/,
  /^--- (?:a\/)?([^\t]+)/,
  /^diff --git .* b\/(.+)/,
  /^Index: (.+)$/,
];

function pathIn(head: readonly string[]): string {
  const paths = NAMES.flatMap((pattern) => head.flatMap((line) => pattern.exec(line)?.[1] ?? []));
  return paths.find((path) => path !== '/dev/null') ?? '';
}

function addHunk(
  blocks: LineBlock[],
  lines: readonly string[],
  [from, end]: readonly [number, number],
  file: { place: number; path: string; hunks: number } | undefined,
): void {
  const path = file?.path ?? '';
  const base = isGenerated(path) ? 0.1 : isTest(path) ? 0.5 : 0.6;
  const header = blocks.length;
  for (let first = from; first < end; first += LONGEST_HUNK) {
    const last = Math.min(first + LONGEST_HUNK, end);
    const part = lines.slice(first, last);
    const count = (sign: string) => part.filter((line) => line.startsWith(sign)).length;
    const mark = `… +${count('+')} −${count('-')} lines`;
    const isStart = first === from;
    // The first hunks of all files come before the second ones.
    const priority = base / (1 + 0.1 * ((file?.hunks ?? 0) + (first - from) / LONGEST_HUNK));
    blocks.push({
      first: first + 1,
      last,
      needs: [...(file === undefined ? [] : [file.place]), ...(isStart ? [] : [header])],
      title: path,
      label: `hunks of ${path}`,
      text: [path, ...part].join('\n'),
      priority,
      ...(isStart ? { folded: { text: `${lines[from]} ${mark}`, priority: base / 4 } } : {}),
    });
  }
}

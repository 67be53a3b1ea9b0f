import { addLines, type LineBlock } from '../../structures/index.js';
import type { Kind } from './kind.js';

/** `a.ts(12,5): `, `a.c:12:5: `, `a.ts:12:5 - `, and below the name of a file `  12:5  `. */
const PLACE =
  /^\s*(?:((?:[A-Za-z]:)?[^\s:()][^:()\n]{0,300}?)[:(](\d+)(?:[:,]\d+)?\)?(?::| -)?|(\d+):\d+)(?=\s)/;
const SEVERITY =
  /^\s*(?:(fatal error|internal compiler error|error|warning)|(note|info(?:rmation)?|hint|help|remark|refactor|convention))\b[ :[]?\s*(.*)/i;
/** `C0114: …`, `F401 …`. */
const CODED = /^\s+([A-Z]{1,4}\d{2,5}):?\s/;
/** `error[E0308]: …`, `warning: …`. */
const HEADLINE = /^(error|warning)(?:\[([A-Z]\w+)\])?: (.*)$/;
const SUMMARY =
  /^\s*(?:[✖×✗✘]\s|Found \d+ (?:error|warning|issue)|Success: no issues|\d+ (?:error|warning|problem)s?\b.*(?:generated|found|\.$|$)|error: (?:aborting due to|could not compile)|warning: `?[\w-].* generated \d+ warning|Your code has been rated|(?:compilation|build) (?:terminated|failed)|BUILD (?:FAILED|SUCCESSFUL)|make(?:\[\d+\])?: \*\*\*|Errors {2}Files|All checks passed)/i;
/** Above the diagnostics that are meant: a file of eslint, a module of pylint, a function of gcc. */
const CONTEXT =
  /^(?:\*{5,} Module \S+|(?:In file included from .*|.*: (?:In (?:(?:member |static )?function|constructor|destructor|instantiation).*|At (?:top level|global scope)):)|[^\s:\\/.]*[\\/.][^\s:]*)$/;

/** Diagnostics of compilers and linters: each kind of error once and whole, errors before warnings, repetitions in short. */
export const compiler = {
  name: 'compiler',
  recognise(lines) {
    const filled = lines.filter((line) => line.trim() !== '');
    let near = 0;
    let diagnostics = 0;
    const owned = filled.filter((line, at) => {
      if (diagnosticIn(filled, at) !== undefined) {
        diagnostics++;
        near = MOST_EXCERPT;
        return true;
      }
      // Excerpts are indented, or have numbers before them.
      return SUMMARY.test(line) || CONTEXT.test(line) || (near-- > 0 && EXCERPT.test(line));
    });
    if (diagnostics === 0) return 0;
    const share = owned.length / filled.length;
    return share > 0.7 ? 0.93 : 0.6 * share;
  },
  add(outline, text, place) {
    const lines = text.split('\n');
    const starts = lines.map((_, at) => diagnosticIn(lines, at));
    const seen = new Map<string, number>();
    const blocks: LineBlock[] = [];
    let context: number | undefined;
    for (let at = 0; at < lines.length; ) {
      const first = at;
      const line = lines[at] as string;
      const found = starts[at];
      at++;
      if (found === undefined) {
        const isContext = CONTEXT.test(line) && !SUMMARY.test(line);
        // The first diagnostic behind a context decides whether it stays.
        if (isContext) context = blocks.length;
        else if (line.trim() !== '') context = undefined;
        const priority = SUMMARY.test(line) ? 0.95 : line.trim() === '' ? 0 : isContext ? 0.1 : 0.4;
        blocks.push({ first: first + 1, last: at, priority, label: 'other lines' });
        continue;
      }
      // Notes and the excerpt belong to the diagnostic above them.
      while (at < lines.length && goesOn(lines, at, starts, found)) at++;
      const key = `${found.severity} ${found.code}`;
      const before = seen.get(key) ?? 0;
      seen.set(key, before + 1);
      const base = found.severity === 'error' ? 0.8 : found.severity === 'warning' ? 0.5 : 0.3;
      blocks.push({
        first: first + 1,
        last: at,
        ...(context === undefined ? {} : { needs: [context] }),
        label: `${found.severity}${found.code === '' ? '' : ` ${found.code}`}`,
        priority: before === 0 ? base + 0.1 : base / (1.5 + 0.1 * before),
        ...(before > 0
          ? { folded: { text: `… ${found.code || found.severity}: ${found.place}`, priority: base * 0.6 } }
          : at - first > 1
            ? { folded: { text: line, priority: base + 0.1 } }
            : {}),
      });
    }
    addLines(outline, text, place, { blocks });
  },
} as const satisfies Kind;

/** Lines of an excerpt of code, with its marks and explanations. */
const EXCERPT = /^\s*(?:\d+ *\|?|\||-->|\^|~|=|[+-] )|^\s{2,}/;
const MOST_EXCERPT = 12;

interface Found {
  readonly severity: 'error' | 'warning' | 'note';
  readonly code: string;
  readonly place: string;
  /** The form of its line. */
  readonly form: 'located' | 'headline' | 'row';
}

/** The diagnostic that begins at a line. Without a code, its message without what varies is its code. */
function diagnosticIn(lines: readonly string[], at: number): Found | undefined {
  const line = lines[at] as string;
  if (line.length > 2000 || SUMMARY.test(line)) return undefined;
  const headline = HEADLINE.exec(line);
  if (headline !== null) {
    const [, word = '', code, message = ''] = headline;
    const place = /^\s*(?:-->|::) (.*)$/.exec(lines[at + 1] ?? '')?.[1] ?? '';
    return { form: 'headline', severity: severityOf(word), code: code ?? templateOf(message), place };
  }
  const located = PLACE.exec(line);
  if (located === null) return undefined;
  const [before, path, number, row] = located;
  const form = path === undefined ? 'row' : 'located';
  const place = path === undefined ? `line ${row}` : `${path}:${number}`;
  const rest = line.slice(before.length);
  const said = SEVERITY.exec(rest);
  if (said !== null) {
    const [, bad, , message = ''] = said;
    return { form, severity: severityOf(bad ?? ''), code: codeIn(message), place };
  }
  const code = CODED.exec(rest)?.[1];
  if (code !== undefined && path !== undefined)
    return { form, severity: /^[EF]/.test(code) ? 'error' : 'warning', code, place };
  // `./a.go:12:5: undefined: x`.
  if (path === undefined || !/\.\w+$/.test(path) || !/:\d+:\d+:$/.test(before)) return undefined;
  return { form, severity: 'error', code: templateOf(rest), place };
}

function goesOn(
  lines: readonly string[],
  at: number,
  starts: readonly (Found | undefined)[],
  { form }: Found,
): boolean {
  const line = lines[at] as string;
  const start = starts[at];
  if (start !== undefined) return start.severity === 'note' && start.form === 'located' && form !== 'row';
  if (SUMMARY.test(line) || form === 'row') return false;
  if (line.trim() === '') {
    // An excerpt may follow behind a blank line.
    return (
      form === 'located' && /^\s*(?:\d+ |\S.*[~^])/.test(lines[at + 1] ?? '') && starts[at + 1] === undefined
    );
  }
  return (
    /^\s/.test(line) ||
    /^\d+\s/.test(line) ||
    (form === 'headline' && !CONTEXT.test(line)) ||
    /^\s*[\^~]/.test(lines[at + 1] ?? '')
  );
}

function severityOf(word: string): Found['severity'] {
  if (/error/i.test(word)) return 'error';
  return /warning/i.test(word) ? 'warning' : 'note';
}

/** The code in a message: `TS2322: …`, `… [-Wunused]`, `… [arg-type]`, `…  no-unused-vars`. */
function codeIn(message: string): string {
  const code = /^([A-Z]{1,5}\d{2,6})\b|\[(-W[\w=+-]+|[a-z][\w-]+)\]\s*$|(?<!\s)\s{2,}([@\w/-]+)\s*$/.exec(
    message,
  );
  return code?.[1] ?? code?.[2] ?? code?.[3] ?? templateOf(message);
}

/** A message without names and numbers. */
const templateOf = (message: string): string =>
  message
    .replace(/["'`‘“].{0,200}?["'`’”]/g, '…')
    .replace(/\b\d+\b/g, '0')
    .slice(0, 60)
    .trim();

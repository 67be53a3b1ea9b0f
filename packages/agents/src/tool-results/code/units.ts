/** The units of code: what can be left out by itself, and what each needs. */
import type { Statement } from './statements.js';

export interface CodeUnit {
  /** Stretches of lines from 0, the last included. The second is the end of a container. */
  readonly parts: readonly { readonly first: number; readonly last: number }[];
  readonly is: 'frame' | 'function' | 'type' | 'import' | 'comment' | 'statements';
  /** Indices of the units that it needs: the one that contains it, and the imports of its names. */
  readonly needs: readonly number[];
  /** The names of its classes and modules, and its own. */
  readonly names: readonly string[];
  /** The last line of the header of a function with a body. */
  readonly open: number | undefined;
  /** The first line of the code, below its comment. */
  readonly head: number;
}

/** Statements without a body are one unit up to so many lines. */
const MOST_LINES = 20;
/** Statements inside so many others are not taken apart: each level is read again from its first line. */
const DEEPEST = 40;
/** Shorter statements are not taken apart, in lines. */
const FEWEST_LINES = 6;
/** A longer comment above something can be left out without it, in lines. */
const LONGEST_COMMENT = 2;

/** @param longest a longer function is taken apart, in characters. */
export function codeUnits(
  statements: readonly Statement[],
  lines: readonly string[],
  longest: number,
): CodeUnit[] {
  const units: CodeUnit[] = [];
  const ends = [0];
  for (const line of lines) ends.push((ends.at(-1) as number) + line.length + 1);
  const isLong = (first: number, last: number) =>
    (ends[last + 1] as number) - (ends[first] as number) > longest;
  /** Adds a unit. If it is too long, it is several, which need the first one. */
  const push = (first: number, last: number, unit: Omit<CodeUnit, 'parts'>) => {
    const place = units.length;
    const isSplit = isLong(first, last);
    const step = isSplit ? MOST_LINES : last - first + 1;
    for (let from = first; from <= last; from += step) {
      const parts = [{ first: from, last: Math.min(last, from + step - 1) }];
      const own = from === first ? {} : { needs: [...unit.needs, place], head: from };
      units.push({ ...unit, parts, ...own, open: isSplit ? undefined : unit.open });
    }
  };
  const add = (all: readonly Statement[], needs: readonly number[], names: readonly string[], depth = 0) => {
    /** Adds a long comment by itself. Returns the line with which the rest begins. */
    const addComment = ({ first, head }: Statement, own: readonly string[]): number => {
      if (head - first <= LONGEST_COMMENT) return first;
      const parts = [{ first, last: head - 1 }];
      units.push({ parts, is: 'comment', needs, names: own, open: undefined, head: first });
      return head;
    };
    let run: Statement[] = [];
    const flush = () => {
      const [begin] = run;
      const end = run.at(-1);
      const is = run.every((each) => each.is === 'comment') ? 'comment' : 'statements';
      if (begin !== undefined && end !== undefined)
        push(begin.first, end.last, { is, needs, names, open: undefined, head: begin.head });
      run = [];
    };
    for (const statement of all) {
      const { first, head, open, close, last, is } = statement;
      const hasBody = open < last;
      const isRead = hasBody && depth < DEEPEST && last - head + 1 >= FEWEST_LINES;
      const inner = isRead ? statement.inner() : [];
      const isTakenApart =
        inner.length > 0 &&
        (isLong(head, last) ||
          (is !== 'function' && inner.some((each) => each.is === 'function' || each.is === 'container')));
      if (is !== 'other' || isTakenApart || last - first + 1 > MOST_LINES) flush();
      const named = [...names, nameIn(lines.slice(head, open + 1).join(' '))].filter((name) => name !== '');
      if (isTakenApart) {
        const header = { first: addComment(statement, named), last: open };
        const parts = close < last ? [header, { first: close + 1, last }] : [header];
        units.push({ parts, is: 'frame', needs, names: named, open: undefined, head });
        add(inner, [units.length - 1], named, depth + 1);
      } else if (is === 'other') {
        run.push(statement);
        const [begin] = run as [Statement];
        if (last - begin.first + 1 >= MOST_LINES) flush();
      } else if (is === 'container' || is === 'function') {
        const isType = is === 'container' && !inner.some((each) => each.is === 'function');
        push(addComment(statement, named), last, {
          ...{ is: isType ? 'type' : 'function', needs, names: named, head },
          open: hasBody ? open : undefined,
        });
      } else push(first, last, { is, needs, names, open: hasBody ? open : undefined, head });
    }
    flush();
  };
  add(statements, [], []);
  return units;
}

const KEYWORD_NAME =
  /\b(?:class|interface|struct|enum|trait|impl|namespace|module|object|record|union|mod|function\*?|fn|func|fun|def|sub|type)\s+(?:\([^)]{0,500}\)\s*)?([A-Za-z_$][\w$.]*(?:::[\w$]+)*)/;
const ASSIGNED_NAME =
  /((?:#|(?<![\w$]|[\w$]\.)[A-Za-z_$])[\w$]*(?:\.[\w$]+)*)\s*(?::[^=(]{1,500})?=\s*(?:async\b|function\b|class\b|\(|<|[\w$]+\s*=>|\w+\()/;
const CALLED_NAME = /((?:[#~]|(?<![\w$])[A-Za-z_$])[\w$]*)\s*(?:<[^()]{0,500}>\s*)?\(/;

/** The name that a header declares, or the empty text. */
function nameIn(header: string): string {
  return (KEYWORD_NAME.exec(header) ?? ASSIGNED_NAME.exec(header) ?? CALLED_NAME.exec(header))?.[1] ?? '';
}

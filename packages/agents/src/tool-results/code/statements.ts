/**
 * The statements of code: runs of lines, and those inside the bodies of declarations. It uses no grammar, because a
 * result may be in any language and a part of a file: indentation and closing brackets tell what belongs together.
 */

export interface Statement {
  /** The first line, with the comment above it. Lines count from 0. */
  readonly first: number;
  /** The first line of the code itself. */
  readonly head: number;
  /** The last line of the header. The same as `last`: there is no body. */
  readonly open: number;
  /** The last line of the body. */
  readonly close: number;
  readonly last: number;
  readonly is: 'function' | 'container' | 'import' | 'comment' | 'other';
  /** The statements of the body. */
  readonly inner: () => Statement[];
}

const CONTROL =
  /^(?:[})\]]\s*)?(?:if|for|foreach|while|switch|catch|else|elif|do|try|with|return|match|loop|unless|until|synchronized|using|lock|guard|defer|select|except|finally|await|throw|case|default|when|begin|repeat|unsafe)\b/;
const CONTAINER =
  /(?:^|[\s(])(?:class|interface|struct|enum|trait|impl|namespace|module|extension|object|protocol|record|union|mod)\b(?!\s*[=.(,)])/;
const FUNCTION_WORD = /(?:^|[\s(=:])(?:async\s+)?(?:function|fn|func|fun|def|sub)\b/;
const IMPORT =
  /^(?:import\b(?!\s*\()|from\s+[\w.]+\s+import\b|#\s*include\b|use\s+[\w:\\{]|using\s[\w.:=\s]+;|package\s|export\s+(?:\*|\{[^}]*(?:\}|$))\s*(?:from\b|$)|(?:const|let|var)\s[\w${},:\s]+=\s*(?:await\s+import|(?:__\w+\()?require)\b|require(?:_relative)?\b|local\s+\w+\s*=\s*require\b|source\s)/;
/** Annotations, attributes, decorators and templates belong to what follows. */
const ANNOTATION =
  /^(?:@(?!interface\b)[\w.]+(?:\(.*\)?)?|#!?\[.*\]|\[[A-Z].*\]|template\s*<.*>|\[\[.*\]\])$/;
const COMMENT =
  /^(?:#(?!\s*(?:include|define|if|endif|else|pragma|undef)\b|!?\[|[\w$]+ ?[(=;])|\/\/|\/\*|\*|--(?!>))/;
/** It goes on with the statement above. */
const CONTINUES =
  /^(?:[{.)\]}?:+*/%|&^,<>=](?!\+\+)|-(?!-)|(?:else|catch|finally|except|elif|elsif|elseif|rescue|ensure|then|where|throws|extends|implements|instanceof|and|or|end|fi|done|esac|until|do)\b)/;
const CLOSES = /^(?:[)\]}]|(?:end|fi|done|esac|until)\b)/;
/** A line of a return type or of a storage class, above the name of a C function. */
const TYPE_LINE = /^[A-Za-z_][\w:\s*&]{0,100}$/;
const OPENS = /(?:[{:]|=>|\b(?:do|then))(?:\s*(?:\/\/|#|\/\*).{0,200})?$/;
const continues = (code: string, last: string): boolean =>
  CONTINUES.test(code) || (TYPE_LINE.test(last) && /^\**[\w:~]+\s*\(/.test(code) && !CLOSES.test(last));

interface Line {
  readonly code: string;
  readonly indent: number;
}

export class Statements {
  readonly #lines: readonly Line[];

  constructor(lines: readonly string[]) {
    this.#lines = lines.map((line) => ({
      code: line.trim(),
      indent: columnsOf(/^[ \t]*/.exec(line)?.[0] ?? ''),
    }));
  }

  /** The statements from one line to another, the last included. Blank lines between them are in none. */
  of(from: number, to: number): Statement[] {
    const starts = this.#starts(from, to);
    return starts.map((first, at) => {
      let last = (starts[at + 1] ?? to + 1) - 1;
      while (last > first && this.#lines[last]?.code === '') last--;
      return this.#read(first, last);
    });
  }

  #starts(from: number, to: number): number[] {
    const all = this.#lines.slice(from, to + 1);
    const indent = all.reduce(
      (least, line) => (line.code === '' ? least : Math.min(least, line.indent)),
      Number.POSITIVE_INFINITY,
    );
    const starts: number[] = [];
    /** The last line of code so far. */
    let last: string | undefined;
    /** The first line of the comments and annotations above the next statement. */
    let above: number | undefined;
    for (const [place, line] of all.entries()) {
      const { code } = line;
      const at = from + place;
      if (code === '') {
        // A comment that stands alone is a statement of its own.
        if (above !== undefined && COMMENT.test(this.#lines[above]?.code as string)) {
          starts.push(above);
          above = last = undefined;
        }
        continue;
      }
      if (COMMENT.test(code)) {
        if (line.indent <= indent) above ??= at;
        continue;
      }
      if (last !== undefined && (line.indent > indent || continues(code, last))) {
        if (above === undefined) last = code;
        continue;
      }
      if (ANNOTATION.test(code)) {
        above ??= at;
        continue;
      }
      if (above !== undefined && CLOSES.test(code)) continue;
      starts.push(above ?? at);
      above = undefined;
      last = code;
    }
    if (above !== undefined) starts.push(above);
    else if (starts.length === 0 && all.some(({ code }) => code !== ''))
      starts.push(from + all.findIndex(({ code }) => code !== ''));
    return starts;
  }

  #read(first: number, last: number): Statement {
    const lines = this.#lines;
    const isAbove = (at: number) => {
      const { code = '' } = lines[at] ?? {};
      return code === '' || COMMENT.test(code);
    };
    let head = first;
    while (head <= last && isAbove(head)) head++;
    if (head > last)
      return { first, head: first, open: last, close: last, last, is: 'comment', inner: () => [] };
    let name = head;
    while (
      name < last &&
      (ANNOTATION.test(lines[name]?.code as string) || CLOSES.test(lines[name]?.code as string))
    )
      name++;
    while (name < last && (lines[name]?.indent as number) > (lines[head]?.indent as number)) name++;
    const { open, close } = this.#body(name, last);
    const header = lines
      .slice(name, open + 1)
      .map(({ code }) => code)
      .join(' ')
      .replace(/^(?:@[\w.]+(?:\([^()]*\))?\s+)+/, '');
    const inner = () => (open < close ? this.of(open + 1, close) : []);
    return { first, head, open, close, last, is: kindOf(header, open < last), inner };
  }

  /** The last line of the header, and of the body. Both are the last line if there is no body. */
  #body(head: number, last: number): { open: number; close: number } {
    const none = { open: last, close: last };
    const indent = this.#lines[head]?.indent as number;
    let open = head;
    while (open < last) {
      const { code, indent: own } = this.#lines[open] as Line;
      if (own <= indent && OPENS.test(code)) break;
      open++;
    }
    const next = this.#lines[head + 1];
    if (open === last) {
      // A header without a sign at its end, as in Ruby.
      if (next === undefined || next.indent <= indent || !FUNCTION_WORD.test(this.#lines[head]?.code ?? ''))
        return none;
      open = head;
    }
    const ending = this.#lines[last] as Line;
    const isClosed = ending.indent <= indent && CLOSES.test(ending.code);
    const close = isClosed ? last - 1 : last;
    return close > open ? { open, close } : none;
  }
}

function kindOf(header: string, hasBody: boolean): Statement['is'] {
  if (IMPORT.test(header)) return 'import';
  if (!hasBody || CONTROL.test(header)) return 'other';
  const plain = header.replace(/(?:\/\/|\/\*).{0,200}$/, '').trimEnd();
  const isCall = /\)[^(){}]*\{$/.test(plain) || /^[\w:-]+\s*\(\)\s*\{$/.test(plain);
  if (FUNCTION_WORD.test(header)) return 'function';
  if (CONTAINER.test(header) && !(isCall && /^(?:\w+\s+)*(?:struct|enum|union)\s/.test(header)))
    return 'container';
  return isCall || /=>\s*\{$/.test(plain) ? 'function' : 'other';
}

const TAB = 4;

/** Columns of white space. */
export function columnsOf(space: string): number {
  let columns = 0;
  for (const character of space) columns += character === '\t' ? TAB - (columns % TAB) : 1;
  return columns;
}

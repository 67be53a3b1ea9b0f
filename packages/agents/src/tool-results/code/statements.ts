/**
 * The statements of code: runs of lines, and those inside the bodies of declarations. It uses no grammar, because a
 * result may be in any language and a part of a file; brackets and indentation tell what belongs together.
 */
import type { CodeLine } from './lines.js';
import type { Family } from './mask.js';

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
const ANNOTATION = /^(?:@(?!interface\b)[\w.]+(?:\(.*\))?|#!?\[.*\]|\[[A-Z].*\]|template\s*<.*>|\[\[.*\]\])$/;
const OPEN_ANNOTATION = /^@(?!interface\b)[\w.]+\([^)]*$/;
const CONTINUES =
  /^(?:[{.)\]}?:+*/%|&^,<>=-](?!\+\+|--)|else\b|catch\b|finally\b|except\b|elif\b|elsif\b|elseif\b|rescue\b|ensure\b|then\b|where\b|throws\b|extends\b|implements\b|instanceof\b|and\b|or\b)/;
const ENDS_OPEN = /(?:[=([+*/%|&^?.<-]|=>|->|\b(?:extends|implements|throws|return|and|or|not))$/;
/** A line of a return type or of a storage class, above the name of a C function. */
const TYPE_LINE = /^[\w:][\w:\s*&]*(?:<[^;=(]*>[\w:\s*&]*)?$/;
const END_WORD = /^(?:end|fi|done|esac|until)\b/;
const CLAUSE = /^(?:else|elif|elsif|elseif|except|finally|rescue|ensure|when|in|case|then|do)\b/;

export class Statements {
  constructor(
    private readonly lines: readonly CodeLine[],
    private readonly family: Family,
  ) {}

  /** The statements from one line to another, the last included. Blank lines between them are in none. */
  of(from: number, to: number): Statement[] {
    const starts = this.#starts(from, to);
    return starts.map((first, at) => {
      let last = (starts[at + 1] ?? to + 1) - 1;
      while (last > first && this.lines[last]?.isBlank) last--;
      return this.#read(first, last);
    });
  }

  #starts(from: number, to: number): number[] {
    const { lines } = this;
    const starts: number[] = [];
    const levels = lines
      .slice(from, to + 1)
      .filter(({ isBlank, isInside, code }) => !isBlank && !isInside && code !== '');
    if (levels.length === 0) {
      const first = lines.slice(from, to + 1).findIndex(({ isBlank }) => !isBlank);
      return first < 0 ? [] : [from + first];
    }
    const depth = levels.reduce((least, each) => Math.min(least, each.depth), Infinity);
    const indent = levels.reduce(
      (least, each) => Math.min(least, each.depth === depth ? each.indent : least),
      Infinity,
    );
    /** The last line of code of the statement so far, and the first. */
    let last: CodeLine | undefined;
    let head: CodeLine | undefined;
    /** The first line of the comments above the next statement. */
    let comment: number | undefined;
    for (let at = from; at <= to; at++) {
      const line = lines[at] as CodeLine;
      if (line.isBlank) {
        // A comment that stands alone is a statement of its own.
        if (comment !== undefined && !line.isInside) {
          starts.push(comment);
          comment = undefined;
          last = head = undefined;
        }
        continue;
      }
      if (line.isInside && (line.code === '' || last !== undefined)) continue;
      if (line.code === '') {
        if (line.depth <= depth && line.indent <= indent) comment ??= at;
        continue;
      }
      const before = comment === undefined ? (head as CodeLine) : line;
      const begins = last === undefined || this.#begins(line, last, before, { depth, indent });
      if (begins) {
        starts.push(comment ?? at);
        head = line;
      }
      comment = undefined;
      last = line;
    }
    if (comment !== undefined) starts.push(comment);
    return starts;
  }

  #begins(line: CodeLine, last: CodeLine, head: CodeLine, level: { depth: number; indent: number }): boolean {
    const { family } = this;
    if (line.depth > level.depth || this.#isAnnotation(last)) return false;
    if (family === 'python' || family === 'words') {
      if (line.indent > level.indent || CLAUSE.test(line.code)) return false;
      return !(family === 'words' && (END_WORD.test(line.code) || /^[})]/.test(line.code)));
    }
    if (line.indent > head.indent && line.indent > level.indent && !last.code.endsWith('}')) return false;
    if (CONTINUES.test(line.code) || ENDS_OPEN.test(last.code)) return false;
    return !(
      family === 'braces' &&
      !last.code.startsWith('#') &&
      TYPE_LINE.test(last.code) &&
      /^\**[\w:~]+\s*\(/.test(line.code)
    );
  }

  /** An annotation, or the end of one over several lines. */
  #isAnnotation({ code, opener }: CodeLine): boolean {
    if (ANNOTATION.test(code)) return true;
    const begin = opener === undefined ? '' : (this.lines[opener] as CodeLine).code;
    return /^[)\]}]+$/.test(code) && OPEN_ANNOTATION.test(begin);
  }

  #read(first: number, last: number): Statement {
    const { lines } = this;
    let head = first;
    while (head <= last && lines[head]?.code === '') head++;
    const inner = () => (open < close ? this.of(open + 1, close) : []);
    const { open, close } = head > last ? { open: last, close: last } : this.#body(head, last);
    if (head > last) return { first, head: first, open, close, last, is: 'comment', inner };
    const header = lines
      .slice(head, open + 1)
      .map(({ code }) => code)
      .filter((code) => !ANNOTATION.test(code))
      .join(' ')
      .replace(/^(?:@[\w.]+(?:\([^()]*\))?\s+)+/, '');
    return { first, head, open, close, last, is: this.#kindOf(header, open < last), inner };
  }

  #kindOf(header: string, hasBody: boolean): Statement['is'] {
    if (IMPORT.test(header)) return 'import';
    if (!hasBody || CONTROL.test(header)) return 'other';
    const isCall = /\)[^(){}]*\{$/.test(header);
    if (FUNCTION_WORD.test(header)) return 'function';
    if (CONTAINER.test(header) && !(isCall && /^(?:\w+\s+)*(?:struct|enum|union)\s/.test(header)))
      return 'container';
    if (this.family === 'words') return /^\s*[\w:-]+\s*\(\)\s*\{$/.test(header) ? 'function' : 'other';
    if (this.family === 'python') return 'other';
    return isCall || /=>\s*\{$/.test(header) ? 'function' : 'other';
  }

  /** The last line of the header, and of the body. Both are the last line if there is no body. */
  #body(head: number, last: number): { open: number; close: number } {
    const { lines, family } = this;
    const none = { open: last, close: last };
    let end = last;
    while (end > head && lines[end]?.code === '') end--;
    const ending = lines[end] as CodeLine;
    if (family === 'braces' || family === 'script' || (family === 'words' && ending.code === '}')) {
      const { opener } = ending;
      const isBody = opener !== undefined && opener >= head && opener < end;
      return isBody ? { open: opener, close: end - 1 } : none;
    }
    const { depth, indent } = lines[head] as CodeLine;
    let open = head;
    while (
      open < last &&
      ((lines[open + 1] as CodeLine).depth > depth || this.#isAnnotation(lines[open] as CodeLine))
    )
      open++;
    if (open === last) return none;
    if (family === 'python')
      return (lines[open] as CodeLine).code.endsWith(':') ? { open, close: last } : none;
    const isClosed = END_WORD.test(ending.code) && ending.indent === indent;
    return isClosed ? { open, close: end - 1 } : none;
  }
}

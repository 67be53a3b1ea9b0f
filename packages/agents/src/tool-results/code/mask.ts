/**
 * Source code without what only looks like code: the contents of strings, template literals, regular expressions and
 * comments. The brackets and words that are left mean something.
 */

/** How a language writes strings and comments. */
export type Family =
  /** JavaScript and TypeScript: template literals and regular expressions. */
  | 'script'
  /** Languages with braces: C, C++, C#, Dart, Go, Java, Kotlin, PHP, Rust, Scala, Swift. */
  | 'braces'
  /** Python. */
  | 'python'
  /** Languages whose blocks end with a word: Lua, Ruby, shells. */
  | 'words';

/** Stands for a character of a string, template literal or regular expression. */
export const STRING = '"';

export interface Masked {
  /** As long as the code, with the same line breaks: comments are spaces, strings are {@link STRING}. */
  readonly text: string;
  /** Offsets of the line breaks inside strings and comments: the lines behind them do not begin with code. */
  readonly inner: ReadonlySet<number>;
}

/** Lifetimes of Rust begin with a quote that nothing closes. */
const LIFETIME = /<'[a-z_]\w*[,>]|&'[a-z_]\w*\s/;
const CHARACTER = /^'(?:[^\\']|\\[^'\n]+|\\')'/;
const LONGEST_CHARACTER = 12;
/** Each backtick that is never closed costs a search to the end of the code. */
const MOST_STRAY = 8;
/** After one of these words a slash begins a regular expression. */
const BEFORE_EXPRESSION =
  /(?:^|[^\w$.])(?:return|typeof|case|in|of|delete|void|throw|new|do|else|yield|await)$/;

export function mask(code: string, family: Family): Masked {
  return new Masker(code, family).run();
}

class Masker {
  readonly #parts: string[] = [];
  readonly #inner = new Set<number>();
  /** The last characters of code, for the question whether a slash divides. */
  #before = '';
  /** Marks that do not occur any more behind this offset. */
  readonly #absent = new Map<string, number>();
  /** For each quote the end of the line in which the last one was not closed: none before that end is closed either. */
  readonly #unclosed = new Map<string, number>();
  /** Offsets that were reached inside and outside a class of an expression that no slash closes. */
  readonly #open = { outside: new Set<number>(), inside: new Set<number>() };
  #stray = 0;
  #at = 0;
  readonly #hasLifetimes: boolean;

  constructor(
    private readonly code: string,
    private readonly family: Family,
  ) {
    this.#hasLifetimes = family === 'braces' && LIFETIME.test(code);
  }

  run(): Masked {
    const { code } = this;
    while (this.#at < code.length) {
      const end = this.#commentEnd(this.#at);
      if (end > this.#at) this.#hide(end, ' ');
      else {
        const stop = this.#stringEnd(this.#at, this.#before);
        if (stop > this.#at) this.#hide(stop, STRING);
        else {
          const character = code[this.#at++] as string;
          this.#parts.push(character);
          if (character === '\n') this.#before = `${this.#before} `.slice(-12);
          else this.#before = (this.#before + character).slice(-12);
        }
      }
    }
    return { text: this.#parts.join(''), inner: this.#inner };
  }

  #hide(end: number, filler: string): void {
    const hidden = this.code.slice(this.#at, end);
    for (let at = hidden.indexOf('\n'); at >= 0; at = hidden.indexOf('\n', at + 1))
      this.#inner.add(this.#at + at);
    this.#parts.push(hidden.replace(/[^\n]/g, filler));
    if (filler === STRING) this.#before = STRING;
    this.#at = end;
  }

  /** The offset behind the next occurrence of a mark, or -1. Each mark is searched in vain once. */
  #behind(mark: string, from: number): number {
    const vain = this.#absent.get(mark);
    if (vain !== undefined && from >= vain) return -1;
    const found = this.code.indexOf(mark, from);
    if (found >= 0) return found + mark.length;
    this.#absent.set(mark, from);
    return -1;
  }

  #lineEnd(from: number): number {
    const found = this.code.indexOf('\n', from);
    return found < 0 ? this.code.length : found;
  }

  /** The offset behind the comment that begins here, or the same offset. */
  #commentEnd(at: number): number {
    const { code, family } = this;
    const first = code[at];
    if (family === 'script' || family === 'braces') {
      if (first === '#' && code[at + 1] === '!' && at === 0) return this.#lineEnd(at);
      if (first !== '/') return at;
      if (code[at + 1] === '/') return this.#lineEnd(at);
      if (code[at + 1] !== '*') return at;
      const end = this.#behind('*/', at + 2);
      return end < 0 ? code.length : end;
    }
    if (first === '#' && (family === 'python' || at === 0 || /[\s;]/.test(code[at - 1] as string)))
      return this.#lineEnd(at);
    if (family !== 'words' || !code.startsWith('--', at) || this.#isAfterCode(at)) return at;
    const end = code.startsWith('[[', at + 2) ? this.#behind(']]', at + 4) : -1;
    return end < 0 ? this.#lineEnd(at) : end;
  }

  /** Whether the line has more than blanks before this offset. */
  #isAfterCode(at: number): boolean {
    let from = at - 1;
    while (from >= 0 && this.code[from] !== '\n' && /\s/.test(this.code[from] as string)) from--;
    return from >= 0 && this.code[from] !== '\n';
  }

  /** The offset behind the string, template literal or regular expression that begins here, or the same offset. */
  #stringEnd(at: number, before: string): number {
    const { code, family } = this;
    const first = code[at];
    if (first === '"' || first === "'") {
      const long = first.repeat(3);
      if (family !== 'script' && code.startsWith(long, at)) {
        const end = this.#behind(long, at + 3);
        if (end >= 0) return end;
      }
      const raw = family === 'braces' && first === '"' ? this.#rawEnd(at) : at;
      if (raw > at) return raw;
      if (first === "'" && this.#hasLifetimes && !CHARACTER.test(code.slice(at, at + LONGEST_CHARACTER)))
        return at;
      return this.#quoteEnd(at, first);
    }
    if (first === '`' && family === 'script') return this.#templateEnd(at);
    if (first === '`' && family === 'braces') return Math.max(at, this.#behind('`', at + 1));
    if (first === '/' && code[at + 1] !== '>' && family === 'script' && beginsExpression(before))
      return this.#expressionEnd(at);
    return at;
  }

  /** A string of one line. A quote that is not closed there is an apostrophe. */
  #quoteEnd(at: number, quote: string): number {
    const { code } = this;
    if (at < (this.#unclosed.get(quote) ?? 0)) return at;
    let end = at + 1;
    for (; end < code.length && code[end] !== '\n'; end++) {
      if (code[end] === '\\') end++;
      else if (code[end] === quote) return end + 1;
    }
    this.#unclosed.set(quote, end);
    return at;
  }

  /** Raw strings: `r#"…"#` of Rust, `R"x(…)x"` of C++, `@"…"` of C#. */
  #rawEnd(at: number): number {
    const { code } = this;
    const prefix = /(?:\br(#+)|\b[uUL]?8?(R)|(?<!\w)[$]?(@)[$]?)$/.exec(code.slice(Math.max(0, at - 20), at));
    if (prefix === null) return at;
    if (prefix[1] !== undefined) return Math.max(at, this.#behind(`"${prefix[1]}`, at + 1));
    if (prefix[2] !== undefined) {
      const delimiter = /^"([^()\\\s]{0,16})\(/.exec(code.slice(at, at + 20))?.[1];
      return delimiter === undefined ? at : Math.max(at, this.#behind(`)${delimiter}"`, at + 1));
    }
    for (let end = at + 1; ; end += 2) {
      end = code.indexOf('"', end);
      if (end < 0) return at;
      if (code[end + 1] !== '"') return end + 1;
    }
  }

  /** With the expressions in it, and the strings and templates in them. */
  #templateEnd(at: number): number {
    const { code } = this;
    /** For each open template the number of open braces of its expression; -1 in its text. */
    const open = [-1];
    if (this.#stray >= MOST_STRAY || this.#behind('`', at + 1) < 0) return at;
    for (let end = at + 1; end < code.length; end++) {
      const character = code[end];
      const braces = open.at(-1) as number;
      if (braces < 0) {
        if (character === '\\') end++;
        else if (character === '`') {
          open.pop();
          if (open.length === 0) return end + 1;
        } else if (character === '$' && code[end + 1] === '{') {
          open[open.length - 1] = 1;
          end++;
        }
      } else if (character === '{') open[open.length - 1] = braces + 1;
      else if (character === '}') open[open.length - 1] = braces === 1 ? -1 : braces - 1;
      else if (character === '`') open.push(-1);
      else if (character === '"' || character === "'")
        end = Math.max(end, this.#quoteEnd(end, character) - 1);
      else if (character === '/') end = Math.max(end, this.#commentEnd(end) - 1);
    }
    this.#stray++;
    return at;
  }

  /** A regular expression; a class in it may have slashes. */
  #expressionEnd(at: number): number {
    const { code } = this;
    let isClass = false;
    for (let end = at + 1; end < code.length; end++) {
      const character = code[end];
      const reached = isClass ? this.#open.inside : this.#open.outside;
      if (character === '\n' || reached.has(end)) break;
      reached.add(end);
      if (character === '\\') end++;
      else if (character === '[') isClass = true;
      else if (character === ']') isClass = false;
      else if (character === '/' && !isClass) return end + 1;
    }
    return at;
  }
}

/** Behind a value a slash divides, and behind `<` it begins a closing tag. Elsewhere it begins a regular expression. */
function beginsExpression(before: string): boolean {
  const code = before.trimEnd();
  return !/[\w$)\]"<]$/.test(code) || BEFORE_EXPRESSION.test(code);
}
